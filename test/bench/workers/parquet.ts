/** Builds a columnar object of parts in memory, so that nothing but the work itself is measured. */

import { buildObject } from '../../../src/publish/parquet/build-object.ts';
import { openGuests } from '../../../src/publish/parquet/guests.ts';
import { PARQUET_LIMITS } from '../../../src/publish/parquet/limits.ts';

const parts = new Map<string, ArrayBuffer>();

/** The one call of a bucket that building makes, and of an object what it reads. */
const bucket = {
  async get(key: string) {
    const part = parts.get(key);
    return part === undefined ? null : { body: new Response(part).body };
  },
} as unknown as Parameters<typeof buildObject>[0];

export default {
  async fetch(request) {
    const key = new URL(request.url).searchParams.get('key');
    if (key !== null) {
      parts.set(key, await request.arrayBuffer());
      return new Response(null, { status: 204 });
    }
    const built = await buildObject(
      bucket,
      [...parts.keys()],
      PARQUET_LIMITS.groupRows,
      await openGuests('kept', undefined),
    );
    return new Response(built?.body ?? null, { headers: { 'x-rows': String(built?.rows ?? 0) } });
  },
} satisfies ExportedHandler;
