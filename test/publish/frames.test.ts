import { describe, expect, test } from 'vitest';
import { fromFrames, toFrames } from '../../src/publish/frames.ts';

const BODIES = [
  new Uint8Array([1, 2, 3]),
  undefined,
  new Uint8Array(0),
  crypto.getRandomValues(new Uint8Array(60_000)),
];

async function* all() {
  for (const body of BODIES) yield { body };
}

/** All bodies of a stream, one after the other. Those that arrived together share memory, so they are compared at once. */
async function bodiesOf(stream: ReadableStream<Uint8Array>): Promise<(Uint8Array | undefined)[]> {
  return (await Array.fromAsync(fromFrames(stream))).flat();
}

/** A stream of bytes in chunks of this size. */
async function chunked(size: number, bytes: Uint8Array): Promise<ReadableStream<Uint8Array>> {
  const { readable, writable } = new IdentityTransformStream();
  const writer = writable.getWriter();
  (async () => {
    for (let at = 0; at < bytes.length; at += size) await writer.write(bytes.slice(at, at + size));
    await writer.close();
  })().catch((error: unknown) => writer.abort(error));
  return readable;
}

describe('fromFrames()', () => {
  test('gives back what `toFrames()` was given', async () => {
    expect(await bodiesOf(toFrames(all()))).toEqual(BODIES);
  });

  test.each([1, 3, 5, 1_000])('reads frames from chunks of %i bytes', async (size) => {
    const bytes = new Uint8Array(await new Response(toFrames(all())).arrayBuffer()).slice(0, 1_000 + 15);
    const short = [...BODIES.slice(0, 3), BODIES[3]?.slice(0, 1_000 - 4)];
    new DataView(bytes.buffer).setUint32(15, 1_000 - 4);
    expect(await bodiesOf(await chunked(size, bytes.slice(0, 15 + 1_000)))).toEqual(short);
  });

  test('reads many small bodies, several at once', async () => {
    async function* many() {
      for (let at = 0; at < 5_000; at++) yield { body: new Uint8Array(at % 97).fill(at) };
    }
    const expected = (await Array.fromAsync(many())).map(({ body }) => body);
    let arrivals = 0;
    const found = [];
    for await (const bodies of fromFrames(toFrames(many()))) {
      arrivals += 1;
      found.push(...bodies);
    }
    expect(found).toEqual(expected);
    expect(arrivals).toBeLessThan(100);
  });

  test('throws when a body breaks off', async () => {
    const bytes = new Uint8Array(await new Response(toFrames(all())).arrayBuffer());
    await expect(bodiesOf(await chunked(1_000, bytes.slice(0, -1)))).rejects.toThrow(
      'Cannot read a landing object: its invocation ended',
    );
  });

  test('throws what the bodies throw', async () => {
    async function* failing() {
      yield { body: new Uint8Array(1) };
      throw new Error('R2 is down');
    }
    await expect(bodiesOf(toFrames(failing()))).rejects.toThrow('R2 is down');
  });

  test('stops the bodies when it is stopped', async () => {
    let stopped = false;
    async function* endless() {
      try {
        for (;;) yield { body: new Uint8Array(10) };
      } finally {
        stopped = true;
      }
    }
    for await (const [body] of fromFrames(toFrames(endless()))) {
      expect(body).toHaveLength(10);
      break;
    }
    expect(stopped).toBe(true);
  });
});
