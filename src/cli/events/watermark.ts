/** The watermark of published events, in a bucket or in a copy. */

import * as v from 'valibot';
import { WATERMARK_KEY } from '../../storage/keys.ts';
import { type Watermark, WatermarkSchema } from '../../storage/watermark.ts';
import type { ReadableStore } from '../object-store.ts';

/** The watermark and the bytes it was read from. */
export interface ReadWatermark extends Watermark {
  readonly body: Uint8Array;
}

/**
 * Reads the watermark.
 *
 * @returns undefined when there is none, since nothing has been published yet.
 * @throws When the object is no watermark.
 */
export async function readWatermark(store: Pick<ReadableStore, 'read'>): Promise<ReadWatermark | undefined> {
  const chunks = await store.read(WATERMARK_KEY);
  if (chunks === undefined) return undefined;
  const body = Buffer.concat(await Array.fromAsync(chunks));
  const result = v.safeParse(v.pipe(v.string(), v.parseJson(), WatermarkSchema), body.toString());
  if (!result.success) {
    throw new Error(
      `Cannot read ${WATERMARK_KEY}: ${result.issues[0].message}; delete it, the service writes it again`,
    );
  }
  return { ...result.output, body };
}
