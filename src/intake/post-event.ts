/** A POST to the endpoint: who sends, and what. Guards stand cheapest first, and none reads the body before the token. */

import type { Config } from '../config.ts';
import type { Intention } from '../http/check-only.ts';
import { isOverRate } from '../http/rate-limit.ts';
import { authenticate, denyToken } from '../senders/authenticate.ts';
import { isSender } from '../senders/sender.ts';
import { objectKey, partitionAt } from '../storage/keys.ts';
import { buildEvent } from './build-event.ts';
import { MAX_BODY_BYTES } from './limits.ts';
import { type Background, makeDurable } from './make-durable.ts';
import { type Outcome, refuse } from './outcome.ts';
import { readBody } from './read-body.ts';

/** Takes one event, or only checks it and stores nothing. What is still being stored after the answer is left to `background`. */
export async function postEvent(request: Request, config: Config, background: Background): Promise<Outcome> {
  const { bucket } = config;
  const { headers, url } = request;
  // What is there already is not waited for, here and in what follows: each wait costs a promise and a turn of its own.
  const known = authenticate(headers, config);
  const authenticated = known instanceof Promise ? await known : known;
  if (!authenticated.ok) return refuse(authenticated.error);
  const sender = authenticated.value;
  if (!isSender(sender)) return refuse({ reason: 'forbidden_role' }, sender);
  // Read beside the body, so that an event does not wait for it in turn.
  const revoked = config.revoked.has(sender.tokenDigest);
  if (revoked === true) return refuse(await denyToken(headers, config), sender);
  const over = isOverRate(config.senderRate, sender.name);
  if (over instanceof Promise ? await over : over) return refuse({ reason: 'too_many_requests' }, sender);
  const intention = url.includes('?') ? await readIntention(url) : 'store';
  if (intention === 'unclear') return refuse({ reason: 'unclear_check' }, sender);

  const body = await readBody(request, MAX_BODY_BYTES);
  if (revoked !== false && (await revoked)) return refuse(await denyToken(headers, config), sender);
  const event = await buildEvent(body, headers, sender);
  if (intention === 'check') {
    return event.ok ? { kind: 'checked', sender, checked: event.value } : refuse(event.error, sender);
  }
  if (!event.ok) {
    const { keepRefused } = await import('./keep-refused.ts');
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
  return { kind: 'accepted', sender, accepted: event.value, path: durable.value };
}

async function readIntention(url: string): Promise<Intention> {
  const { intentionOf } = await import('../http/check-only.ts');
  return intentionOf(url);
}
