/**
 * Revoked tokens. Secrets belong to a version of the Worker, so an old version would accept an old token again. Every
 * version refuses the digests listed in this object of the bucket.
 */

import { refreshed } from '../http/refreshed.ts';
import { answerOf } from '../http/with-timeout.ts';
import { TOKEN_DIGEST } from './sender.ts';

/** The key of the list. Entries are only added. */
export const REVOKED_KEY = 'tokens/revoked.json';

export interface RevokedToken {
  /** `sha256:` and the 64 hex digits of its digest. */
  readonly digest: string;
  /** The sender that the token belonged to, when it is known. */
  readonly sender?: string;
  /** `YYYY-MM-DDTHH:MM:SS.sssZ`. */
  readonly revoked_at: string;
}

/**
 * Parses the list, `{"revoked": […]}`.
 *
 * @throws When any part of it is unreadable: reading it in part would accept tokens again.
 */
export function parseRevoked(text: string): RevokedToken[] {
  const { revoked } = JSON.parse(text);
  if (Array.isArray(revoked) && revoked.every((entry) => TOKEN_DIGEST.test(entry?.digest))) return revoked;
  throw new Error(`Cannot read ${REVOKED_KEY}: it is not what npm run token writes there`);
}

export interface RevokedTokens {
  /** Whether the list as last read has this digest. A token stays revoked, so the age of the list does not matter. */
  isKnown(tokenDigest: string): boolean;
  /**
   * Whether the token with this digest is revoked. The list is read again when it is older than {@link MAX_AGE_MS}.
   * When it cannot be read, the previous list counts; without one no token is revoked, so that no event is lost.
   */
  has(tokenDigest: string): Promise<boolean>;
}

/** How old the list may be, in milliseconds. */
const MAX_AGE_MS = 30_000;

/** In milliseconds: together with the time for the durable stores, below the 5 s after which senders give up. */
const READ_TIMEOUT_MS = 500;

/** Follows the list in a bucket. It is not read before the first call of `has`. */
export function followRevoked(bucket: Pick<R2Bucket, 'get'>): RevokedTokens {
  let known: ReadonlySet<string> | undefined;
  const isKnown = (digest: string) => known?.has(digest) ?? false;

  async function readAgain(): Promise<void> {
    const facts = { known: known?.size ?? null };
    known = (await answerOf('revoked_tokens_unknown', () => readDigests(bucket), READ_TIMEOUT_MS, facts)) ?? known;
  }

  const refresh = refreshed(readAgain, MAX_AGE_MS, READ_TIMEOUT_MS);
  return {
    isKnown,
    async has(digest) {
      await refresh();
      return isKnown(digest);
    },
  };
}

async function readDigests(bucket: Pick<R2Bucket, 'get'>): Promise<ReadonlySet<string>> {
  const object = await bucket.get(REVOKED_KEY);
  const revoked = object === null ? [] : parseRevoked(await object.text());
  return new Set(revoked.map(({ digest }) => digest.toLowerCase()));
}
