/** The environment, checked once an isolate and turned into what the handlers need. */

import { digestOf, type TokenDigest } from './token-digest.ts';

/** What wrangler.toml and the secrets provide. Anything may be missing from a deployment, so nothing is taken on trust. */
export interface Env {
  /** Secret: the token that senders present. */
  readonly API_TOKEN?: string;
  /** Secret: a second token that is accepted as well, so that tokens can be exchanged without downtime. */
  readonly API_TOKEN_NEXT?: string;
  /** Producer binding of the queue that carries lines to R2. */
  readonly EVENTS?: Queue<string>;
  /** The bucket of all objects. */
  readonly BUCKET?: R2Bucket;
  /** The name of the queue whose lines are written to `landing/`. */
  readonly LANDING_QUEUE?: string;
  /** The name of the queue of messages that could not be landed. */
  readonly DEAD_LETTER_QUEUE?: string;
}

/** The checked environment. */
export interface Config {
  /** The tokens that are accepted. Without one, intake is closed. */
  readonly tokens: readonly TokenDigest[];
  readonly events: Queue<string>;
  readonly bucket: R2Bucket;
  readonly landingQueue: string;
  readonly deadLetterQueue: string;
}

/** The name of the sender that uses API_TOKEN or API_TOKEN_NEXT. */
const DEFAULT_SENDER = 'default';

const known = new WeakMap<Env, Config>();

/**
 * Reads the configuration.
 *
 * @throws When a binding or a variable is missing; the message says which and where to add it. A missing token is not
 * an error: it leaves `tokens` empty.
 */
export async function loadConfig(env: Env): Promise<Config> {
  const loaded = known.get(env);
  if (loaded !== undefined) return loaded;
  const config = {
    tokens: await Promise.all(tokensOf(env).map((token) => digestOf(DEFAULT_SENDER, token))),
    events: present(env, 'EVENTS'),
    bucket: present(env, 'BUCKET'),
    landingQueue: present(env, 'LANDING_QUEUE'),
    deadLetterQueue: present(env, 'DEAD_LETTER_QUEUE'),
  };
  known.set(env, config);
  return config;
}

/** The configured tokens. They are trimmed, because a secret that was piped in ends in a newline. */
function tokensOf(env: Env): string[] {
  return [env.API_TOKEN, env.API_TOKEN_NEXT].map((token) => token?.trim() ?? '').filter((token) => token !== '');
}

function present<Name extends keyof Env>(env: Env, name: Name): NonNullable<Env[Name]> {
  const value = env[name];
  if (value === undefined || value === null || value === '') {
    throw new Error(`Cannot read the configuration: ${name} is missing; add it to this environment in wrangler.toml`);
  }
  return value;
}
