/**
 * Merges many small landing objects into one, which the publisher reads much faster. This can be repeated from any
 * point, and by two consumers at once. The object is created under the key that the message names and is never
 * replaced, and the sources are deleted only when it is certain to have been created: at every moment their rows are in
 * `landing/` or published. When the publisher removes the object before the sources are deleted, a second delivery
 * creates it again. Its rows are then repeats, which the publisher leaves out.
 */

import { createObjectIfAbsent, type ObjectCreator } from '../storage/create-object.ts';
import { type GatherRequest, outputKeyOf, sourceKeysOf } from '../storage/gather-request.ts';
import { partitionOf } from '../storage/keys.ts';
import { readInOrder } from '../storage/read-in-order.ts';
import { classify } from './classify.ts';

/** The connections that an invocation may open at once (Workers, Limits). Nothing else in it needs one. */
const READS_AHEAD = 6;

export interface Gathered {
  readonly objects: number;
  readonly rows: number;
}

type GatherBucket = ObjectCreator & Pick<R2Bucket, 'get' | 'head' | 'delete'>;

/**
 * Gathers objects. An object with anything but lines of its hour is left to the publisher, which keeps it whole.
 *
 * @throws When R2 does not answer, or it is unknown whether the object was created. Retrying the message is safe.
 */
export async function gather(bucket: GatherBucket, request: GatherRequest): Promise<Gathered> {
  const lines: string[] = [];
  const taken: string[] = [];
  // The message names no more than fits in the memory of an invocation, so bytes need no limit here.
  const sources = sourceKeysOf(request).map((key) => ({ key, bytes: 0 }));
  for await (const { key, body } of readInOrder(bucket, sources, { readsAhead: READS_AHEAD, readAheadBytes: 0 })) {
    const own = body && linesOfHour(body, request.partition);
    if (own === undefined) continue;
    lines.push(...own);
    taken.push(key);
  }
  if (taken.length === 0) return { objects: 0, rows: 0 };
  const output = outputKeyOf(request);
  const created = await createObjectIfAbsent(bucket, output, lines);
  if (!created && (await bucket.head(output)) === null) {
    throw new Error(`Cannot gather into ${output}: another consumer was about to create it, and has not`);
  }
  await bucket.delete(taken);
  return { objects: taken.length, rows: lines.length };
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The lines of an object. Undefined when it contains anything but valid lines of its hour. */
function linesOfHour(body: Uint8Array, partition: string): readonly string[] | undefined {
  let text: string;
  try {
    text = decoder.decode(body);
  } catch {
    return undefined;
  }
  const carried = classify(text);
  const areOwn = carried?.prefix === 'landing' && partitionOf(carried.receivedAt) === partition;
  return areOwn ? carried.lines : undefined;
}
