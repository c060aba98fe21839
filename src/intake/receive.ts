/** A POST to the endpoint: who sends, and what. Guards stand cheapest first, and none reads the body before the token. */

import type { Config } from '../config.ts';
import { accept } from './accept.ts';
import { authenticate } from './authenticate.ts';
import { type Outcome, refuse } from './outcome.ts';
import { isOverRate } from './rate-limit.ts';

/** Takes one event. */
export async function receive(request: Request, config: Config): Promise<Outcome> {
  const authenticated = await authenticate(request.headers, config);
  if (!authenticated.ok) return refuse(authenticated.error);
  const sender = authenticated.value;
  if (await isOverRate(config.senderRate, sender.name)) return refuse({ reason: 'too_many_requests' }, sender.name);
  const accepted = await accept(request, sender, config.events);
  return accepted.ok
    ? { kind: 'accepted', sender: sender.name, accepted: accepted.value }
    : refuse(accepted.error, sender.name);
}
