/** Who may send, and what a token has to be. Pure. */

/** The holder of a token. */
export interface Sender {
  /** As it is written in the row. */
  readonly name: string;
  /** The IntegrationIds that may be sent, exact or as a prefix that ends in `*`; all when absent. */
  readonly integrations?: readonly string[];
  /** The status of the answer to an accepted event, for a client that takes nothing but 200; 202 when absent. */
  readonly acceptedStatus?: 200 | 202;
  /** Sees the status of all senders and of the service. It may send only for the integrations that are named. */
  readonly operator?: boolean;
}

/** A sender that has presented a token. */
export interface KnownSender extends Sender {
  /** Which of its tokens, counted from 1 in the order of the secret. It tells when an old one is no longer in use. */
  readonly tokenNumber: number;
}

/** A sender with its live tokens, each as it is presented or as `sha256:` and the 64 hex digits of its digest. */
export interface SenderTokens extends Sender {
  readonly tokens: readonly string[];
}

/** The name of the sender that uses API_TOKEN or API_TOKEN_NEXT. */
export const DEFAULT_SENDER = 'default';

/** What may take the place of a token: its SHA-256, so that the list of senders can be kept where people read it. */
export const TOKEN_DIGEST = /^sha256:([\da-f]{64})$/;

/** The least length of a token, in characters: short ones can be guessed. */
const MIN_TOKEN_LENGTH = 32;

/** Whether a token is long enough, or a digest that is complete. */
export function isStrong(token: string): boolean {
  return token.startsWith('sha256:') ? TOKEN_DIGEST.test(token) : token.length >= MIN_TOKEN_LENGTH;
}

/** What is wrong with a token that is not {@link isStrong strong}. */
export const WEAK_TOKEN = `is neither a token of at least ${MIN_TOKEN_LENGTH} characters nor "sha256:" and 64 hex digits in lower case`;

/** Whether a sender may send for an IntegrationId. */
export function maySendFor({ integrations, operator = false }: Sender, integrationId: string): boolean {
  return (
    integrations?.some((allowed) =>
      allowed.endsWith('*') ? integrationId.startsWith(allowed.slice(0, -1)) : integrationId === allowed,
    ) ?? !operator
  );
}
