/**
 * The tokens that are revoked. Secrets belong to versions of the Worker, so that an old version would accept an old token
 * again; a digest that stands in this object of the bucket is refused by every version.
 */

import { refreshed } from '../http/refreshed.ts';
import { answerOf } from '../http/with-timeout.ts';
import { TOKEN_DIGEST } from './sender.ts';

/** Where the list is. It grows only. */
export const REVOKED_KEY = 'tokens/revoked.json';

export interface RevokedToken {
  /** `sha256:` and the 64 hex digits of its digest. */
  readonly digest: string;
  /** Whose token it was, where that is known. */
  readonly sender?: string;
  /** `YYYY-MM-DDTHH:MM:SS.sssZ`. */
  readonly revoked_at: string;
}

/** Reads the list, `{"revoked": […]}`. @throws When it is not one: a part of a list would bring tokens back. */
export function parseRevoked(text: string): RevokedToken[] {
  const { revoked } = JSON.parse(text);
  if (Array.isArray(revoked) && revoked.every((entry) => TOKEN_DIGEST.test(entry?.digest))) return revoked;
  throw new Error(`Cannot read ${REVOKED_KEY}: it is not what npm run token writes there`);
}

export interface RevokedTokens {
  /**
   * Whether a token is revoked, by its digest. The list is asked for when it is older than {@link MAX_AGE_MS}; when it
   * cannot be read, the one of before counts, and without one no token is revoked: an event is not lost for it.
   */
  has(tokenDigest: string): boolean | Promise<boolean>;
}

/** How old the list may be, in milliseconds. */
const MAX_AGE_MS = 30_000;

/** How long the bucket may take, in milliseconds: with the durable store it stays below the 5 s after which senders give up. */
const READ_TIMEOUT_MS = 500;

/** Follows the list in a bucket. Nothing is read before it is asked for. */
export function followRevoked(bucket: Pick<R2Bucket, 'get'>): RevokedTokens {
  const current = refreshed<ReadonlySet<string> | undefined>(
    (last) => readDigests(bucket, last),
    MAX_AGE_MS,
    READ_TIMEOUT_MS,
  );
  return {
    has(digest) {
      const list = current();
      return list instanceof Promise ? list.then((read) => read?.has(digest) ?? false) : (list?.has(digest) ?? false);
    },
  };
}

/** Reads the list; the last one, undefined where there is none, when it cannot be read. */
async function readDigests(
  bucket: Pick<R2Bucket, 'get'>,
  last: ReadonlySet<string> | undefined,
): Promise<ReadonlySet<string> | undefined> {
  const read = async () => {
    const object = await bucket.get(REVOKED_KEY);
    const revoked = object === null ? [] : parseRevoked(await object.text());
    return new Set(revoked.map(({ digest }) => digest.toLowerCase()));
  };
  return (await answerOf('revoked_tokens_unknown', read, READ_TIMEOUT_MS, { known: last?.size ?? null })) ?? last;
}
