/** What an environment needs in the account before it can be deployed. Pure. */

import { MAX_KEPT_DAYS } from '../../storage/erasure.ts';
import { type Addressed, routedOrigin } from '../address.ts';

/** How long a queue keeps a message that nobody takes, in seconds: 14 days, the most that Queues offers (Queues, Limits). */
export const RETENTION_SECONDS = 1_209_600;

/** The jurisdictions that both queues and buckets know (Queues and R2, Data location). */
export const JURISDICTIONS = ['eu', 'us', 'fedramp'] as const;

/** The hints that R2 takes for where a bucket is to lie (R2, Data location). */
export const LOCATIONS = ['weur', 'eeur', 'wnam', 'enam', 'apac', 'oc'] as const;

/** A lifecycle rule of the bucket: what happens to objects under a prefix some days after they were made. */
export interface Rule {
  readonly name: string;
  readonly prefix: string;
  readonly action: 'expire' | 'abort-multipart';
  readonly days: number;
}

/** The variables of wrangler.toml that say for how many days a prefix is kept. */
const KEPT = {
  rejected: 'KEEP_REJECTED_DAYS',
  'dead-letter': 'KEEP_DEAD_LETTER_DAYS',
  unreadable: 'KEEP_UNREADABLE_DAYS',
};

/** The part of wrangler.toml that is read here, as wrangler has checked it. */
export interface WranglerConfig extends Addressed {
  readonly vars: Readonly<Record<string, unknown>>;
  readonly queues: {
    readonly producers?: readonly { readonly queue: string }[] | undefined;
    readonly consumers?:
      | readonly { readonly queue: string; readonly dead_letter_queue?: string | undefined }[]
      | undefined;
  };
  readonly r2_buckets: readonly {
    readonly bucket_name?: string | undefined;
    readonly jurisdiction?: string | undefined;
  }[];
}

/** What is needed. */
export interface Wanted {
  /** Whether the service has no route and so needs the account's name on workers.dev. */
  readonly onWorkersDev: boolean;
  readonly worker: string;
  readonly queues: readonly string[];
  readonly bucket: string;
  readonly rules: readonly Rule[];
  /** Whether `events/` keeps the columns that tell of guests without limit. */
  readonly keepsGuests: boolean;
  /** Where everything must stay, or undefined when it may lie anywhere. */
  readonly jurisdiction: string | undefined;
}

/**
 * Reads what is needed off wrangler.toml, so that it is written down in one place.
 *
 * @throws When there is not exactly one bucket, or when it is not said for how long something is kept.
 */
export function wantedBy(config: WranglerConfig): Wanted {
  const { name, vars, queues, r2_buckets } = config;
  const { producers = [], consumers = [] } = queues;
  const names = [
    ...producers.map(({ queue }) => queue),
    ...consumers.flatMap(({ queue, dead_letter_queue }) => [queue, dead_letter_queue]),
  ];
  const [bucket, ...others] = r2_buckets;
  if (name === undefined || bucket?.bucket_name === undefined || others.length > 0) {
    throw new Error('Cannot read wrangler.toml: an environment needs a name and one [[r2_buckets]] with a bucket_name');
  }
  return {
    onWorkersDev: routedOrigin(config) === undefined,
    worker: name,
    queues: [...new Set(names.filter((queue) => queue !== undefined))],
    bucket: bucket.bucket_name,
    rules: rulesOf(vars),
    keepsGuests: (vars.KEEP_GUEST_COLUMNS_DAYS ?? '') === '',
    jurisdiction: bucket.jurisdiction,
  };
}

/**
 * The rules, one for each prefix. Events never expire, neither published ones nor those that still wait for it: what the
 * publisher is done with it deletes itself. Uploads that were cut off are cleared away.
 */
function rulesOf(vars: WranglerConfig['vars']): Rule[] {
  const uploads = ['landing', 'events'].map((name) => ({
    name,
    prefix: `${name}/`,
    action: 'abort-multipart' as const,
    days: 7,
  }));
  const kept = Object.entries(KEPT).map(([name, variable]) => ({
    name,
    prefix: `${name}/`,
    action: 'expire' as const,
    days: readDays(variable, vars[variable]),
  }));
  return [...uploads, ...kept];
}

function readDays(variable: string, value: unknown): number {
  if (/^[1-9]\d?$/.test(String(value)) && Number(value) <= MAX_KEPT_DAYS) return Number(value);
  throw new Error(
    `Cannot use ${variable} in wrangler.toml: give a number of days from 1 to ${MAX_KEPT_DAYS}, such as ${variable} = "${MAX_KEPT_DAYS}", since guests are not erased from there`,
  );
}
