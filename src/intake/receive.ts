/** A POST to the endpoint: who sends, and what. Guards stand cheapest first, and none reads the body before the token. */

import type { Config } from '../config.ts';
import { accept } from './accept.ts';
import { authenticate } from './authenticate.ts';
import { type Outcome, refuse } from './outcome.ts';

/** Takes one event. */
export async function receive(request: Request, config: Config): Promise<Outcome> {
  if (config.tokens.length === 0) return refuse({ reason: 'not_configured' });
  const sender = await authenticate(request.headers, config.tokens);
  if (sender === undefined) return refuse({ reason: 'unauthorized' });
  const accepted = await accept(request, sender, config.events);
  return accepted.ok ? { kind: 'accepted', sender, accepted: accepted.value } : refuse(accepted.error, sender);
}
