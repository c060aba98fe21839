/** What an environment needs in the account before it can be deployed. Pure. */

/** How long a queue keeps a message that nobody takes, in seconds: 14 days, the most that Queues offers. */
export const RETENTION_SECONDS = 1_209_600;

/** A lifecycle rule of the bucket: what happens to objects under a prefix so many days after they were made. */
export interface Rule {
  readonly name: string;
  readonly prefix: string;
  readonly action: 'expire' | 'abort-multipart';
  readonly days: number;
}

/**
 * The rules, one for each prefix. Events never expire, neither published ones nor those that still wait for it: what the
 * publisher is done with it deletes itself. Uploads that were cut off are cleared away.
 */
export const RULES: readonly Rule[] = [
  { name: 'landing', prefix: 'landing/', action: 'abort-multipart', days: 7 },
  { name: 'events', prefix: 'events/', action: 'abort-multipart', days: 7 },
  { name: 'rejected', prefix: 'rejected/', action: 'expire', days: 30 },
  { name: 'dead-letter', prefix: 'dead-letter/', action: 'expire', days: 365 },
  { name: 'unreadable', prefix: 'unreadable/', action: 'expire', days: 365 },
];

/** The part of wrangler.toml that is read here, as wrangler has checked it. */
export interface WranglerConfig {
  readonly queues: {
    readonly producers?: readonly { readonly queue: string }[] | undefined;
    readonly consumers?:
      | readonly { readonly queue: string; readonly dead_letter_queue?: string | undefined }[]
      | undefined;
  };
  readonly r2_buckets: readonly { readonly bucket_name?: string | undefined }[];
  readonly secrets?: { readonly required?: readonly string[] | undefined } | undefined;
}

/** What is needed. */
export interface Wanted {
  readonly queues: readonly string[];
  readonly buckets: readonly string[];
  readonly secrets: readonly string[];
}

/** Reads what is needed off wrangler.toml, so that it is written down in one place. */
export function wantedBy({ queues, r2_buckets, secrets }: WranglerConfig): Wanted {
  const { producers = [], consumers = [] } = queues;
  const names = [
    ...producers.map(({ queue }) => queue),
    ...consumers.flatMap(({ queue, dead_letter_queue }) => [queue, dead_letter_queue]),
  ];
  return {
    queues: [...new Set(names.filter((name) => name !== undefined))],
    buckets: r2_buckets.map(({ bucket_name }) => bucket_name).filter((name) => name !== undefined),
    secrets: secrets?.required ?? [],
  };
}
