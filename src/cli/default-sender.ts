/**
 * The sender `default` in the list of senders. Its tokens are the secrets API_TOKEN and API_TOKEN_NEXT, so there are two at
 * most; the list has their digests. A list without `default` leaves both secrets as they were set by hand. Pure but for the
 * randomness of a new token.
 */

import * as v from 'valibot';
import { TOKEN_DIGEST } from '../senders/sender.ts';
import { newToken } from './new-token.ts';

/** The digests of its tokens, the oldest first; empty when all are revoked, absent when they are not in the list. */
export const DefaultSchema = v.optional(
  v.pipe(
    v.array(v.pipe(v.string(), v.regex(TOKEN_DIGEST, 'is not "sha256:" and 64 hex digits in lower case'))),
    v.maxLength(2, 'has more than two tokens, one for API_TOKEN and one for API_TOKEN_NEXT'),
  ),
);

type Held = readonly string[] | undefined;

/**
 * A digest that no token has. It is the value of a secret whose token is revoked: a secret that is deleted leaves a service
 * without any token, which answers 503, and its senders would go on to retry; and `wrangler deploy` deletes none.
 */
const REVOKED = `sha256:${'0'.repeat(64)}`;

/**
 * Gives the default sender its first token in the list. Once installed, it is the only one that works.
 *
 * @throws When the list has one.
 */
export function addDefault(held: Held): { token: string; held: string[] } {
  if (held?.length) throw new Error('Cannot add default: it has a token; rotate gives it a further one');
  const { token, digest } = newToken();
  return { token, held: [digest] };
}

/** Gives it a second token; the first goes on to work. @throws When it has none in the list, or two. */
export function rotateDefault(held: Held): { token: string; held: string[] } {
  const present = listed(held);
  if (present.length > 1) {
    throw new Error('Cannot rotate default: it has two tokens and no room for a third; revoke default --old first');
  }
  const { token, digest } = newToken();
  return { token, held: [...present, digest] };
}

/** Takes the older token away. @throws When it has none in the list. */
export function revokeOldDefault(held: Held): string[] {
  return listed(held).slice(-1);
}

/** The secrets that carry its tokens. A secret is never left out: its old value would stay deployed. */
export function defaultSecrets(held: Held): Readonly<Record<string, string>> {
  if (held === undefined) return {};
  const [first = REVOKED, second = REVOKED] = held;
  return { API_TOKEN: first, API_TOKEN_NEXT: second };
}

function listed(held: Held): readonly string[] {
  if (held?.length) return held;
  throw new Error(
    'Cannot find a token of default in the list. What was set by hand is not there: new default replaces it, and revoke default takes it away',
  );
}
