/** Authenticates and authorises the sender: guards in order, cheapest first, before a byte of the body is read. */

import type { Config } from '../config.ts';
import { intentionOf } from '../http/check-only.ts';
import { isOverRate } from '../http/rate-limit.ts';
import { fail, ok, type Result } from '../result.ts';
import { authenticate, denyToken } from '../senders/authenticate.ts';
import { isSender, type KnownSender } from '../senders/sender.ts';
import { type Outcome, refuse } from './outcome.ts';

interface Admitted {
  readonly sender: KnownSender;
  /** Whether events are only checked, and nothing is stored. */
  readonly isCheck: boolean;
  /** Whether the token is revoked. To be awaited after the body was read, since the list is read at the same time. */
  readonly revoked: Promise<boolean>;
}

/** @param rate - Counts the requests of the sender. */
export async function admit(
  { headers, url }: Request,
  config: Config,
  rate: Config['senderRate'],
): Promise<Result<Admitted, Outcome>> {
  const authenticated = await authenticate(headers, config);
  if (!authenticated.ok) return fail(refuse(authenticated.error));
  const sender = authenticated.value;
  if (!isSender(sender)) return fail(refuse({ reason: 'forbidden_role' }, sender));
  const revoked = config.revoked.has(sender.tokenDigest);
  if (config.revoked.isKnown(sender.tokenDigest)) return fail(await refuseRevoked(headers, config, sender));
  if (await isOverRate(rate, sender.name)) return fail(refuse({ reason: 'too_many_requests' }, sender));
  const intention = intentionOf(url);
  if (intention === 'unclear') return fail(refuse({ reason: 'unclear_check' }, sender));
  return ok({ sender, isCheck: intention === 'check', revoked });
}

/** Refuses a revoked token in the same way as a wrong one. */
export async function refuseRevoked(headers: Headers, config: Config, sender: KnownSender): Promise<Outcome> {
  return refuse(await denyToken(headers, config), sender);
}
