/** A POST to the endpoint: who sends, and what. Guards stand cheapest first, and none reads the body before the token. */

import type { Config } from '../config.ts';
import { intentionOf } from '../http/check-only.ts';
import { isOverRate } from '../http/rate-limit.ts';
import { authenticate, denyToken } from '../senders/authenticate.ts';
import { isSender } from '../senders/sender.ts';
import { objectKey, partitionAt } from '../storage/keys.ts';
import { buildEvent } from './build-event.ts';
import { keepRefused } from './keep-refused.ts';
import { MAX_BODY_BYTES } from './limits.ts';
import { type Background, makeDurable } from './make-durable.ts';
import { type Outcome, refuse } from './outcome.ts';
import { readBody } from './read-body.ts';

/** Takes one event, or only checks it and stores nothing. What is still being stored after the answer is left to `background`. */
export async function postEvent(request: Request, config: Config, background: Background): Promise<Outcome> {
  const { bucket } = config;
  const { headers, url } = request;
  const authenticated = await authenticate(headers, config);
  if (!authenticated.ok) return refuse(authenticated.error);
  const sender = authenticated.value;
  if (!isSender(sender)) return refuse({ reason: 'forbidden_role' }, sender);
  // Read beside the body, so that an event does not wait for it in turn.
  const revoked = config.revoked.has(sender.tokenDigest);
  if (revoked === true) return refuse(await denyToken(headers, config), sender);
  if (await isOverRate(config.senderRate, sender.name)) return refuse({ reason: 'too_many_requests' }, sender);
  const intention = intentionOf(url);
  if (intention === 'unclear') return refuse({ reason: 'unclear_check' }, sender);

  const body = await readBody(request, MAX_BODY_BYTES);
  if (revoked !== false && (await revoked)) return refuse(await denyToken(headers, config), sender);
  const event = await buildEvent(body, headers, sender);
  if (intention === 'check') {
    return event.ok ? { kind: 'checked', sender, checked: event.value } : refuse(event.error, sender);
  }
  if (!event.ok) {
    const kept = await keepRefused(event.error, body, headers, sender.name, {
      queue: config.rejected,
      bucket,
      background,
    });
    return refuse(event.error, sender, kept);
  }

  const { line, eventId, receivedAt } = event.value;
  const keyOf = () => objectKey('landing', partitionAt(receivedAt), eventId);
  const durable = await makeDurable(line, keyOf, { queue: config.events, bucket, background });
  if (!durable.ok) return refuse(durable.error, sender);
  return { kind: 'accepted', sender, accepted: event.value, storedIn: durable.value };
}
