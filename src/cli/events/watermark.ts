/** Reads the watermark of published events, from a bucket or a copy. */

import { ok, type Result } from '../../result.ts';
import { WATERMARK_KEY } from '../../storage/keys.ts';
import { type Watermark, WatermarkSchema } from '../../storage/watermark.ts';
import type { ReadableStore } from '../object-store.ts';
import { parseStored } from '../parse-stored.ts';

/** The watermark and the bytes it was read from. */
interface ReadWatermark extends Watermark {
  readonly body: Uint8Array;
}

/** The watermark, undefined if there is none yet, or why the object cannot be read as a watermark. */
export type WatermarkReading = Result<ReadWatermark | undefined, string>;

export async function readWatermark(store: Pick<ReadableStore, 'get'>): Promise<WatermarkReading> {
  const body = await store.get(WATERMARK_KEY);
  if (body === undefined) return ok(undefined);
  const watermark = parseStored(WatermarkSchema, body);
  return watermark.ok ? ok({ ...watermark.value, body }) : watermark;
}

/** Says up to when events are complete, as a sentence without a full stop. */
export function describeWatermark(reading: WatermarkReading): string {
  if (!reading.ok)
    return `${WATERMARK_KEY} is not a watermark (${reading.error}); delete it, and the publisher writes it again`;
  if (reading.value === undefined) {
    return 'There is no watermark yet: until the publisher has watched the queues for half an hour, nothing says up to when events/ is complete';
  }
  return `events/ is complete up to ${reading.value.complete_through}`;
}
