import { describe, expect, test, vi } from 'vitest';
import { readInOrder } from '../../src/storage/read-in-order.ts';

const LIMITS = { readsAhead: 5, readAheadBytes: 1_000 };

/** Objects by name; reading one ends when it is told to. Undefined is one that is not there. */
function slowBucket(names: readonly string[]) {
  const ends = new Map<string, () => void>();
  let most = 0;
  const get = async (key: string) => {
    const read = new Promise<void>((resolve) => ends.set(key, resolve));
    most = Math.max(most, ends.size);
    await read;
    ends.delete(key);
    return names.includes(key) ? { arrayBuffer: async () => new TextEncoder().encode(key).buffer } : null;
  };
  return { bucket: { get } as unknown as Pick<R2Bucket, 'get'>, ends, most: () => most };
}

async function readAll(names: readonly string[], bytes: number) {
  const { bucket, ends, most } = slowBucket(names);
  const reading = Array.fromAsync(
    readInOrder(
      bucket,
      names.map((key) => ({ key, bytes })),
      LIMITS,
    ),
  );
  const done = reading.then(() => true);
  // The last that was begun ends first.
  while (!(await Promise.race([done, Promise.resolve(false)]))) {
    [...ends.values()].at(-1)?.();
    await scheduler.wait(0);
  }
  return { keys: (await reading).map(({ key }) => key), most: most() };
}

const NAMES = Array.from({ length: 20 }, (_, at) => `object-${at}`);

describe('readInOrder()', () => {
  test('keeps the order and the number of requests under way', async () => {
    expect(await readAll(NAMES, 1)).toEqual({ keys: NAMES, most: LIMITS.readsAhead });
  });

  test('holds few large objects at once', async () => {
    expect(await readAll(NAMES, LIMITS.readAheadBytes / 2)).toEqual({ keys: NAMES, most: 2 });
    expect(await readAll(NAMES, LIMITS.readAheadBytes * 2)).toEqual({ keys: NAMES, most: 1 });
  });

  test('gives the memory of an object back when the next is asked for', async () => {
    const { bucket, ends } = slowBucket(['a', 'b']);
    const reading = readInOrder(
      bucket,
      ['a', 'b'].map((key) => ({ key, bytes: 1 })),
      LIMITS,
    );
    const first = reading.next();
    await vi.waitFor(() => expect(ends.size).toBe(2));
    for (const end of ends.values()) end();
    const { value } = await first;
    expect(value?.body?.byteLength).toBe(1);
    await reading.next();
    expect(value?.body?.byteLength).toBe(0);
  });

  test('throws what a request throws', async () => {
    const bucket = { get: () => Promise.reject(new Error('R2 is down')) };
    await expect(Array.fromAsync(readInOrder(bucket, [{ key: 'a', bytes: 1 }], LIMITS))).rejects.toThrow('R2 is down');
  });
});
