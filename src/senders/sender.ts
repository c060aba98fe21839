/** The holders of tokens, and the requirements on a token. Pure. */

/**
 * What the holder of a token may do: a sender posts events and sees its own status, a reader reads the table through
 * the catalog, an operator sees the status of all senders and the catalog. No role permits anything else.
 */
export const ROLES = ['sender', 'reader', 'operator'] as const;

export type Role = (typeof ROLES)[number];

/** The holder of a token. */
export interface Sender {
  /** The value of the column `sender`. */
  readonly name: string;
  /** The allowed IntegrationIds, exact or as a prefix that ends in `*`. All when absent. */
  readonly integrations?: readonly string[];
  /** The status of the answer to an accepted event, for a client that accepts only 200. 202 when absent. */
  readonly acceptedStatus?: 200 | 202;
  /** `sender` when absent. */
  readonly role?: Role;
}

/** The holder of a token that was presented. */
export interface KnownSender extends Sender {
  /** Which of its tokens, from 1, in the order of the secret. Shows when an old token is no longer in use. */
  readonly tokenNumber: number;
  /** `sha256:` and the 64 hex digits of its digest, in lower case. */
  readonly tokenDigest: string;
}

/** A sender with its live tokens, each in plain text or as `sha256:` and the 64 hex digits of its digest. */
export interface SenderTokens extends Sender {
  readonly tokens: readonly string[];
}

/** The name of the sender that uses API_TOKEN or API_TOKEN_NEXT. */
export const DEFAULT_SENDER = 'default';

/** The SHA-256 of a token, accepted in its place, so that the list of senders can be kept where people read it. */
export const TOKEN_DIGEST = /^sha256:([\da-f]{64})$/i;

/** The minimum length of a token in characters: a short one can be guessed. */
const MIN_TOKEN_LENGTH = 32;

/** Whether a token is long enough, or a complete digest. A digest in any other notation is not a token. */
export function isStrong(token: string): boolean {
  return /^sha-?256[:=-]/i.test(token) ? TOKEN_DIGEST.test(token) : token.length >= MIN_TOKEN_LENGTH;
}

/** What is wrong with a token that is not {@link isStrong strong}. */
export const WEAK_TOKEN = `is neither a token of at least ${MIN_TOKEN_LENGTH} characters nor "sha256:" and 64 hex digits`;

/** Whether the holder of a token posts events. */
export function isSender({ role }: Sender): boolean {
  return role === undefined || role === 'sender';
}

export function maySendFor({ integrations }: Sender, integrationId: string): boolean {
  return (
    integrations?.some((allowed) =>
      allowed.endsWith('*') ? integrationId.startsWith(allowed.slice(0, -1)) : integrationId === allowed,
    ) ?? true
  );
}
