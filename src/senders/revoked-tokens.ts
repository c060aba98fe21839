/**
 * The tokens that are revoked. Secrets belong to versions of the Worker, so that an old version would accept an old token
 * again; a digest that stands in this object of the bucket is refused by every version.
 */

import * as v from 'valibot';
import { withTimeout } from '../http/with-timeout.ts';
import { logError } from '../telemetry/log.ts';
import { TOKEN_DIGEST } from './sender.ts';

/** Where the list is. It grows only. */
export const REVOKED_KEY = 'tokens/revoked.json';

/** The list as it is written. */
export const RevokedSchema = v.object({
  revoked: v.array(
    v.object({
      digest: v.pipe(v.string(), v.regex(TOKEN_DIGEST), v.toLowerCase()),
      /** Whose token it was, where that is known. */
      sender: v.optional(v.string()),
      revoked_at: v.string(),
    }),
  ),
});

/** The list, as an isolate knows it. */
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
  let digests: ReadonlySet<string> | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  /** When the list was asked for that is known now, or that could not be read. */
  let knownFrom = Number.NEGATIVE_INFINITY;

  async function ask(now: number): Promise<void> {
    askedAt = now;
    try {
      const read = await withTimeout(readDigests(bucket), READ_TIMEOUT_MS);
      if (read === undefined) throw new Error(`No answer within ${READ_TIMEOUT_MS} ms`);
      digests = read;
    } catch (error) {
      logError('revoked_tokens_unknown', error, { known: digests?.size ?? null });
    }
    knownFrom = now;
  }

  const isRevoked = (digest: string) => digests?.has(digest) ?? false;
  return {
    has(digest) {
      const now = Date.now();
      if (now - knownFrom < MAX_AGE_MS) return isRevoked(digest);
      // Another request is asking. Its promise is not shared: it would never settle if that request is cancelled.
      if (digests !== undefined && now - askedAt < READ_TIMEOUT_MS) return isRevoked(digest);
      return ask(now).then(() => isRevoked(digest));
    },
  };
}

async function readDigests(bucket: Pick<R2Bucket, 'get'>): Promise<ReadonlySet<string>> {
  const object = await bucket.get(REVOKED_KEY);
  if (object === null) return new Set();
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), RevokedSchema), await object.text());
  if (!parsed.success) throw new Error(`Cannot read ${REVOKED_KEY}: it is not what npm run token writes there`);
  return new Set(parsed.output.revoked.map(({ digest }) => digest));
}
