/** Builds a published part of objects in memory, so that nothing but the work itself is measured. */

import { buildPart } from '../../../src/publish/build-part.ts';
import { LIMITS } from '../../../src/publish/limits.ts';
import { IdSet } from '../../../src/storage/id-set.ts';
import { landingPrefix, partitionIn } from '../../../src/storage/keys.ts';
import { readInOrder } from '../../../src/storage/read-in-order.ts';

const objects = new Map<string, Uint8Array<ArrayBuffer>>();

/** The one call of a bucket that building a part makes, and of an object the one that it asks for. */
const bucket = {
  async get(key: string) {
    const bytes = objects.get(key);
    return bytes === undefined ? null : { arrayBuffer: async () => bytes.slice().buffer };
  },
} as unknown as Pick<R2Bucket, 'get'>;

export default {
  async fetch(request) {
    const key = new URL(request.url).searchParams.get('key');
    if (key !== null) {
      objects.set(key, new Uint8Array(await request.arrayBuffer()));
      return new Response(null, { status: 204 });
    }
    const partition = partitionIn([...objects.keys()][0] ?? '') ?? '';
    const { length } = landingPrefix(partition);
    const sources = Array.from(objects, ([name, { byteLength }]): [string, number] => [name.slice(length), byteLength]);
    const part = await buildPart(
      (read) => readInOrder(bucket, read, LIMITS),
      { partition, output: '', sources },
      new IdSet(),
      LIMITS,
    );
    return Response.json({ rows: part.facts?.rows, bytes: part.body.byteLength });
  },
} satisfies ExportedHandler;
