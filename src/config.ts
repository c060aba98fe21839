/** Checks the environment once per isolate and turns it into the configuration that the handlers use. */

import { MIN_PSEUDONYM_KEY } from './guests/settings.ts';
import { readTokens, type TokenSecrets } from './senders/read-secrets.ts';
import { followRevoked } from './senders/revoked-tokens.ts';
import { buildTokenIndex } from './senders/token-index.ts';
import type { GatherRequest } from './storage/gather-request.ts';
import { logError } from './telemetry/log.ts';

/** What wrangler.toml and the secrets provide. A deployment may lack any of it, so every property is optional. */
export interface Env extends TokenSecrets {
  /** Producer binding of the queue that carries lines to R2. */
  readonly EVENTS?: Queue<string>;
  /** Producer binding of the queue that carries refused bodies to R2. */
  readonly REJECTED?: Queue<string>;
  /** Producer binding of the dead-letter queue, used only to read its backlog. */
  readonly DEAD_LETTERS?: Queue;
  /** Producer binding of the dead-letter queue of refused bodies, used only to read its backlog. */
  readonly REJECTED_DEAD_LETTERS?: Queue;
  /** Producer binding of the queue of requests to gather landing objects. */
  readonly GATHER?: Queue<GatherRequest>;
  readonly BUCKET?: R2Bucket;
  readonly PAGES?: Fetcher;
  readonly SENDER_RATE?: RateLimit;
  /** Counts wrong tokens and requests for /readyz, per client network. */
  readonly WRONG_TOKEN_RATE?: RateLimit;
  /** Counts requests for the status, per token. */
  readonly STATUS_RATE?: RateLimit;
  readonly BATCH_RATE?: RateLimit;
  /** `true` also logs events that were accepted the normal way, for an operator who wants to watch. */
  readonly LOG_ACCEPTED?: string;
  readonly METRICS?: AnalyticsEngineDataset;
  /** The version of the Worker that is running. */
  readonly VERSION?: WorkerVersionMetadata;
  // Queue names, by which a batch is matched to its consumer.
  readonly LANDING_QUEUE?: string;
  readonly DEAD_LETTER_QUEUE?: string;
  readonly REJECTED_QUEUE?: string;
  readonly REJECTED_DEAD_LETTER_QUEUE?: string;
  readonly GATHER_QUEUE?: string;
  /** The cron expression on which `landing/` is published, spelled as under [triggers]. */
  readonly PUBLISH_CRON?: string;
  /** The cron expression on which the table is written, spelled as under [triggers]. Without it there is no table. */
  readonly TABLE_CRON?: string;
  /** The name of the bucket, part of every location in the table. */
  readonly BUCKET_NAME?: string;
  /** The S3 API endpoint at which readers reach the bucket. Without it the catalog returns none. */
  readonly S3_ENDPOINT?: string;
  /** How long a row may wait in `landing/` before it is published, in minutes. */
  readonly PUBLISH_AFTER_MINUTES?: string;
  /** The address to which alarms are posted, a secret. */
  readonly ALERT_WEBHOOK?: string;
  /** The key of all digests of guests, a secret. */
  readonly PSEUDONYM_KEY?: string;
  /** What the table does with the columns about guests. Without it they are kept. */
  readonly TABLE_GUEST_COLUMNS?: string;
  /** How long `events/` keeps the columns about guests, in days. Without it there is no limit. */
  readonly KEEP_GUEST_COLUMNS_DAYS?: string;
}

export type Config = Readonly<Awaited<ReturnType<typeof readConfig>>>;

const known = new WeakMap<Env, Config>();

/**
 * Reads the configuration.
 *
 * @throws When a binding or a variable is missing or unusable. The message names it and says where to add it. A missing
 * token is not an error: `tokens` is empty then. A faulty API_TOKENS is logged, and the other tokens stay valid.
 */
export async function loadConfig(env: Env): Promise<Config> {
  return known.get(env) ?? readConfig(env);
}

async function readConfig(env: Env) {
  const { tokens, faults } = readTokens(env);
  if (faults.length > 0) logError('tokens_unreadable', new Error(`Cannot read every sender. ${faults.join('; ')}`));
  const bucket = present(env, 'BUCKET');
  const config = {
    /** The accepted tokens. When there is none, intake is closed. */
    tokens: await buildTokenIndex(tokens),
    /** Revoked tokens, which are refused even if they are in `tokens`. */
    revoked: followRevoked(bucket),
    /** What is wrong with API_TOKENS, without its values. While there is a fault, an unknown token may be valid. */
    tokenFaults: faults,
    events: present(env, 'EVENTS'),
    rejected: present(env, 'REJECTED'),
    deadLetters: present(env, 'DEAD_LETTERS'),
    rejectedDeadLetters: present(env, 'REJECTED_DEAD_LETTERS'),
    gather: present(env, 'GATHER'),
    bucket,
    // Undefined where the platform has no such binding, as in plain workerd. Nothing is limited then.
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
    /** For example `reservation-events`. */
    bucketName: present(env, 'BUCKET_NAME'),
    /** The S3 API endpoint, without the bucket. Undefined when it is not set. */
    s3Endpoint: env.S3_ENDPOINT?.trim() || undefined,
    /** How long a row may wait in `landing/` before it is published. */
    publishAfterMs: readMinutes(present(env, 'PUBLISH_AFTER_MINUTES')) * 60_000,
    /** Without surrounding blanks. Undefined when alarms are not posted. */
    alertWebhook: env.ALERT_WEBHOOK?.trim() || undefined,
    ...readPseudonymKey(env.PSEUDONYM_KEY),
  };
  known.set(env, config);
  return config;
}

/**
 * Reads the key. An unusable key does not fail the configuration: events are accepted and landed without it.
 *
 * @returns The key without surrounding blanks, undefined when it is missing or unusable; and what is wrong with an
 * unusable key, without its value.
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

/** An object never holds rows of more than one hour, so waiting longer gains nothing. */
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
