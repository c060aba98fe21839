/** The secret by which digests of identifiers are made, as the tools know it. */

import { localPseudonymKey } from '../local-service.ts';

/** Shorter ones can be guessed, in characters; the service refuses them too. */
const MIN_LENGTH = 32;

/**
 * Reads PSEUDONYM_KEY.
 *
 * @param isLocal - Whether the service runs on this machine: its key is in `.dev.vars`.
 * @throws When it is missing or too short; the message says what to do.
 */
export function pseudonymKey(isLocal: boolean, env: NodeJS.ProcessEnv = process.env): string {
  const key = env.PSEUDONYM_KEY?.trim() || (isLocal ? localPseudonymKey() : '');
  if (key.length >= MIN_LENGTH) return key;
  const why = key === '' ? 'PSEUDONYM_KEY is not set' : `PSEUDONYM_KEY has fewer than ${MIN_LENGTH} characters`;
  throw new Error(
    `Cannot erase a guest: ${why}. Erasures are kept as digests made with it, so that they hold no value. Set it here to the secret that the Worker has; if the Worker has none yet, make one with "openssl rand -hex 32" and give it to both: npm run secret -- set PSEUDONYM_KEY --env production`,
  );
}
