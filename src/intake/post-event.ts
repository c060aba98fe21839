/** Handles a POST to the endpoint, with one event. */

import type { Config } from '../config.ts';
import { objectKey, partitionAt } from '../storage/keys.ts';
import { admit, refuseRevoked } from './admit.ts';
import { buildEvent } from './build-event.ts';
import { keepRefused } from './keep-refused.ts';
import { MAX_BODY_BYTES } from './limits.ts';
import { type Background, makeDurable } from './make-durable.ts';
import { type Outcome, refuse } from './outcome.ts';
import { readBody } from './read-body.ts';

/** Stores one event, or only checks it. `background` continues what is still being stored after the answer. */
export async function postEvent(request: Request, config: Config, background: Background): Promise<Outcome> {
  const { bucket } = config;
  const { headers } = request;
  const admitted = await admit(request, config, config.senderRate);
  if (!admitted.ok) return admitted.error;
  const { sender, isCheck, revoked } = admitted.value;
  const body = await readBody(request, MAX_BODY_BYTES);
  if (await revoked) return refuseRevoked(headers, config, sender);
  const event = await buildEvent(body, headers, sender);
  if (isCheck) return event.ok ? { kind: 'checked', sender, event: event.value } : refuse(event.error, sender);
  if (!event.ok) {
    const stores = { queue: config.rejected, bucket, background };
    return refuse(event.error, sender, await keepRefused(event.error, body, headers, sender.name, stores));
  }

  const { line, eventId, receivedAt } = event.value;
  const keyOf = () => objectKey('landing', partitionAt(receivedAt), eventId);
  const durable = await makeDurable(line, keyOf, { queue: config.events, bucket, background });
  if (!durable.ok) return refuse(durable.error, sender);
  return { kind: 'accepted', sender, event: event.value, storedIn: durable.value };
}
