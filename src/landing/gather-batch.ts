/** Handles a batch of the gather queue. Its messages hold no events: one that is not carried out only costs time. */

import * as v from 'valibot';
import { GatherRequestSchema } from '../storage/gather-request.ts';
import { log, logError } from '../telemetry/log.ts';
import { gather } from './gather.ts';
import type { Batch, Delivery } from './write-then-settle.ts';

/** The delay before a failed message is retried, in seconds. */
const RETRY_SECONDS = 30;

/** Carries out the messages one after the other. A message that is too late or unreadable is acknowledged unused. */
export async function gatherBatch({ messages }: Batch, bucket: R2Bucket): Promise<void> {
  for (const message of messages) await gatherOne(message, bucket);
}

async function gatherOne(message: Delivery, bucket: R2Bucket): Promise<void> {
  const started = Date.now();
  const parsed = v.safeParse(GatherRequestSchema, message.body);
  try {
    if (!parsed.success) {
      const error = new Error('A message of the gather queue is not one that the publisher sends');
      logError('gather_request_unreadable', error);
    } else if (started < parsed.output.until) {
      const gathered = await gather(bucket, parsed.output);
      log('gathered', { ...gathered, duration_ms: Date.now() - started });
    }
  } catch (error) {
    logError('gather_failed', error);
    return message.retry({ delaySeconds: RETRY_SECONDS });
  }
  message.ack();
}
