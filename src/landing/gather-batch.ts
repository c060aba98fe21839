/** A batch of the gather queue. Its messages hold no event: one that cannot be carried out costs time and nothing else. */

import * as v from 'valibot';
import { GatherRequestSchema } from '../storage/gather-request.ts';
import { log, logError } from '../telemetry/log.ts';
import { GATHER_LIMITS, type Gathered, type GatherLimits, gather } from './gather.ts';
import type { Batch, Delivery } from './write-then-settle.ts';

/** How long a failed message waits for its next attempt, in seconds. */
const RETRY_SECONDS = 30;

/**
 * Gathers what each message names, one after the other. A message that comes late, or is none, is acknowledged.
 *
 * @param now - Gives milliseconds since 1970.
 */
export async function gatherBatch(
  { messages }: Batch,
  bucket: R2Bucket,
  now: () => number,
  limits: GatherLimits = GATHER_LIMITS,
): Promise<void> {
  for (const message of messages) {
    const started = now();
    const gathered = await settle(message, bucket, started, limits);
    if (gathered !== undefined) log('gathered', { ...gathered, duration_ms: now() - started });
  }
}

async function settle(
  message: Delivery,
  bucket: R2Bucket,
  now: number,
  limits: GatherLimits,
): Promise<Gathered | undefined> {
  const parsed = v.safeParse(GatherRequestSchema, message.body);
  if (!parsed.success) {
    logError('gather_request_unreadable', new Error('A message of the gather queue is none that the publisher sends'));
    message.ack();
    return undefined;
  }
  if (now >= parsed.output.until) {
    message.ack();
    return undefined;
  }
  try {
    const gathered = await gather(bucket, parsed.output, limits);
    message.ack();
    return gathered;
  } catch (error) {
    logError('gather_failed', error);
    message.retry({ delaySeconds: RETRY_SECONDS });
    return undefined;
  }
}
