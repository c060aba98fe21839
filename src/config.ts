/** The environment, checked once an isolate and turned into what the handlers need. */

import { readTokens, type TokenSecrets } from './senders/read-secrets.ts';
import { followRevoked } from './senders/revoked-tokens.ts';
import { buildTokenIndex } from './senders/token-index.ts';
import type { GatherRequest } from './storage/gather-request.ts';
import { logError } from './telemetry/log.ts';

/** What wrangler.toml and the secrets provide. Anything may be missing from a deployment, so nothing is taken on trust. */
export interface Env extends TokenSecrets {
  /** Producer binding of the queue that carries lines to R2. */
  readonly EVENTS?: Queue<string>;
  /** Producer binding of the queue that carries refused bodies to R2. */
  readonly REJECTED?: Queue<string>;
  /** Producer binding of the dead-letter queue: what still waits there is asked of it. */
  readonly DEAD_LETTERS?: Queue;
  /** Producer binding of the dead-letter queue of refused bodies, likewise. */
  readonly REJECTED_DEAD_LETTERS?: Queue;
  /** Producer binding of the queue that has landing objects gathered. */
  readonly GATHER?: Queue<GatherRequest>;
  readonly BUCKET?: R2Bucket;
  readonly PAGES?: Fetcher;
  readonly SENDER_RATE?: RateLimit;
  /** Counts the wrong tokens of each address, and how often it asks for /readyz. */
  readonly WRONG_TOKEN_RATE?: RateLimit;
  /** Counts how often the holder of a token asks for the status. */
  readonly STATUS_RATE?: RateLimit;
  readonly BATCH_RATE?: RateLimit;
  /** `true`: an event that was accepted the normal way has a log line as well, for an operator who wants to watch. */
  readonly LOG_ACCEPTED?: string;
  readonly METRICS?: AnalyticsEngineDataset;
  /** Which version of the Worker runs. */
  readonly VERSION?: WorkerVersionMetadata;
  // The names of the queues, by which a batch says where it comes from.
  readonly LANDING_QUEUE?: string;
  readonly DEAD_LETTER_QUEUE?: string;
  readonly REJECTED_QUEUE?: string;
  readonly REJECTED_DEAD_LETTER_QUEUE?: string;
  readonly GATHER_QUEUE?: string;
  /** The cron on which `landing/` is published, as it stands under [triggers]. */
  readonly PUBLISH_CRON?: string;
  /** The cron on which the table is written, likewise; without it there is none. */
  readonly TABLE_CRON?: string;
  /** The name of the bucket, which the addresses in the table have. */
  readonly BUCKET_NAME?: string;
  /** Where others reach the bucket by the S3 API; without it the catalog does not say. */
  readonly S3_ENDPOINT?: string;
  /** How long a row may wait in `landing/` before it is published, in minutes. */
  readonly PUBLISH_AFTER_MINUTES?: string;
  /** The address to which alarms are posted, a secret. */
  readonly ALERT_WEBHOOK?: string;
  /** The key of all digests of guests, a secret. */
  readonly PSEUDONYM_KEY?: string;
  /** What the table does with the columns that tell of a guest; without it they are kept. */
  readonly TABLE_GUEST_COLUMNS?: string;
  /** How long `events/` keeps the columns that tell of a guest, in days; undefined means without limit. */
  readonly KEEP_GUEST_COLUMNS_DAYS?: string;
}

export type Config = Readonly<Awaited<ReturnType<typeof readConfig>>>;

const known = new WeakMap<Env, Config>();

/**
 * Reads the configuration.
 *
 * @throws When a binding or a variable is missing or unusable; the message says which and where to add it. A missing token is not
 * an error: it leaves `tokens` empty; nor is a faulty API_TOKENS, which is logged and leaves the other tokens at work.
 */
export async function loadConfig(env: Env): Promise<Config> {
  return known.get(env) ?? readConfig(env);
}

async function readConfig(env: Env) {
  const { tokens, faults } = readTokens(env);
  if (faults.length > 0) logError('tokens_unreadable', new Error(`Cannot read every sender. ${faults.join('; ')}`));
  const bucket = present(env, 'BUCKET');
  const config = {
    /** The tokens that are accepted. Without one, intake is closed. */
    tokens: await buildTokenIndex(tokens),
    /** The tokens that are refused all the same. */
    revoked: followRevoked(bucket),
    /** What is wrong with API_TOKENS, without a value. While anything is, an unknown token may be a good one. */
    tokenFaults: faults,
    events: present(env, 'EVENTS'),
    rejected: present(env, 'REJECTED'),
    deadLetters: present(env, 'DEAD_LETTERS'),
    rejectedDeadLetters: present(env, 'REJECTED_DEAD_LETTERS'),
    gather: present(env, 'GATHER'),
    bucket,
    // Absent where the platform has no such binding, as in a bare workerd; then nothing is limited.
    senderRate: env.SENDER_RATE,
    wrongTokenRate: env.WRONG_TOKEN_RATE,
    statusRate: env.STATUS_RATE,
    batchRate: env.BATCH_RATE,
    landingQueue: present(env, 'LANDING_QUEUE'),
    deadLetterQueue: present(env, 'DEAD_LETTER_QUEUE'),
    rejectedQueue: present(env, 'REJECTED_QUEUE'),
    rejectedDeadLetterQueue: present(env, 'REJECTED_DEAD_LETTER_QUEUE'),
    gatherQueue: present(env, 'GATHER_QUEUE'),
    publishCron: present(env, 'PUBLISH_CRON'),
    tableCron: env.TABLE_CRON,
    /** As in `reservation-events`. */
    bucketName: present(env, 'BUCKET_NAME'),
    /** The address of the S3 API, without the bucket; undefined when it was not set. */
    s3Endpoint: env.S3_ENDPOINT?.trim() || undefined,
    /** How long a row may wait in `landing/` before it is published. */
    publishAfterMs: readMinutes(present(env, 'PUBLISH_AFTER_MINUTES')) * 60_000,
    /** As it was set, without surrounding blanks; undefined when alarms are posted nowhere. */
    alertWebhook: env.ALERT_WEBHOOK?.trim() || undefined,
    ...readPseudonymKey(env.PSEUDONYM_KEY),
  };
  known.set(env, config);
  return config;
}

/** A shorter key could be found by trying. In characters. */
const MIN_PSEUDONYM_KEY = 32;

/**
 * A key that cannot be used is no error of the whole configuration: events are taken and landed without it.
 *
 * @returns The key without surrounding blanks, undefined when there is none that can be used; and what is wrong with one
 * that cannot, without its value.
 */
function readPseudonymKey(secret: string | undefined) {
  const pseudonymKey = secret?.trim() || undefined;
  if (pseudonymKey === undefined || pseudonymKey.length >= MIN_PSEUDONYM_KEY) {
    return { pseudonymKey, pseudonymKeyFault: undefined };
  }
  const pseudonymKeyFault = `PSEUDONYM_KEY has fewer than ${MIN_PSEUDONYM_KEY} characters; set another, as "openssl rand -hex 32" makes it`;
  logError('pseudonym_key_unreadable', new Error(pseudonymKeyFault));
  return { pseudonymKey: undefined, pseudonymKeyFault };
}

/** An object never holds rows of more than one hour, so nothing is gained by waiting longer. */
const MOST_MINUTES = 60;

function readMinutes(text: string): number {
  const minutes = Number(text);
  if (/^\d{1,2}$/.test(text) && minutes >= 1 && minutes <= MOST_MINUTES) return minutes;
  throw new Error(
    `Cannot read the configuration: PUBLISH_AFTER_MINUTES has to be a whole number from 1 to ${MOST_MINUTES}, as in PUBLISH_AFTER_MINUTES = "5"; correct [vars] of this environment in wrangler.toml`,
  );
}

function present<Name extends keyof Env>(env: Env, name: Name): NonNullable<Env[Name]> {
  const value = env[name];
  if (value === undefined || value === null || value === '') {
    throw new Error(`Cannot read the configuration: ${name} is missing; add it to this environment in wrangler.toml`);
  }
  return value;
}
