/** Derives what an environment needs in the account before it can be deployed. Pure. */

import { MAX_KEPT_DAYS } from '../../storage/erasure.ts';
import { routedOrigin } from '../address.ts';
import type { WranglerConfig } from '../wrangler-config.ts';

/** How long a queue keeps an unconsumed message, in seconds: 14 days, the maximum (Queues, Limits). */
export const RETENTION_SECONDS = 1_209_600;

/** The jurisdictions that both queues and buckets support (Queues and R2, Data location). */
export const JURISDICTIONS = ['eu', 'us', 'fedramp'] as const;

/** R2's location hints for a new bucket (R2, Data location). */
export const LOCATIONS = ['weur', 'eeur', 'wnam', 'enam', 'apac', 'oc'] as const;

/** A lifecycle rule of the bucket: what happens to objects under a prefix some days after their creation. */
export interface Rule {
  readonly name: string;
  readonly prefix: string;
  readonly action: 'expire' | 'abort-multipart';
  readonly days: number;
}

/** The variables of wrangler.toml that set the retention of a prefix, in days. */
const KEPT = {
  rejected: 'KEEP_REJECTED_DAYS',
  'dead-letter': 'KEEP_DEAD_LETTER_DAYS',
  unreadable: 'KEEP_UNREADABLE_DAYS',
};

export interface Wanted {
  /** Whether the service has no route and so needs the account's workers.dev subdomain. */
  readonly onWorkersDev: boolean;
  readonly worker: string;
  readonly queues: readonly string[];
  readonly bucket: string;
  readonly rules: readonly Rule[];
  /** Whether `events/` keeps the columns about guests without limit. */
  readonly keepsGuests: boolean;
  /** The jurisdiction of all resources; undefined if there is none. */
  readonly jurisdiction: string | undefined;
}

/**
 * Reads the needs from wrangler.toml, so that they are written down in one place only.
 *
 * @throws When there is not exactly one bucket, and when a retention is missing or invalid.
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
 * One rule per prefix. Events never expire, whether published or not: the publisher itself deletes the landed objects
 * that it has published. Incomplete uploads are aborted.
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
