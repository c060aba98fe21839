/** Further invocations that read for the publisher, each with a life of its own: any of them may end in the middle. */

import type { Reader, ReaderSource } from '../../src/publish/fan-out.ts';
import { type ByteRead, byteReader } from './byte-reader.ts';
import type { Isolate } from './isolates.ts';
import type { Stage } from './stage.ts';
import type { Actor } from './world.ts';

/** Starts an invocation, whose body runs until it is over. */
export type Start = (body: (code: Isolate, actor: Actor) => Promise<void>) => void;

const SLOWEST_CALL_MS = 50;

/** Makes invocations for one that calls them. */
export function readerSource({ world, network, bucket }: Stage, caller: Actor, start: Start): ReaderSource {
  const later = (run: () => void) => world.after(world.random.int(1, SLOWEST_CALL_MS), run);
  const answer = (settle: () => void) => later(() => world.resume(caller, settle));

  /** Has something happen in another invocation. `ended` is what the caller gets when that one is over. */
  function call<Value>(callee: Actor, body: () => Promise<Value>, ended: () => Value): Promise<Value> {
    return new Promise((resolve, reject) => {
      const settle = (value: () => Value) =>
        answer(() => {
          try {
            resolve(value());
          } catch (error) {
            reject(error);
          }
        });
      later(() => {
        world.whenOver(callee, () => settle(ended));
        world.resume(callee, () => {
          body().then(
            (value) => settle(() => value),
            (error: unknown) => answer(() => reject(error)),
          );
        });
      });
    });
  }

  const lost = () => {
    throw new Error('injected: the invocation has ended');
  };
  /** A stream that breaks off may look like one that has ended. */
  const cutOff = (): ByteRead => (world.random.chance(50) ? { value: undefined, done: true } : lost());

  function readerIn(code: Isolate, actor: Actor, over: () => void): Reader {
    return {
      async read(sources, limits) {
        const open = async () =>
          byteReader(code.toFrames(code.readInOrder(network.bucket(actor, bucket), sources, limits)));
        const reader = await call(actor, open, lost);
        const stream = {
          getReader: () => ({
            readAtLeast: (bytes: number, room: Uint8Array) =>
              call(actor, () => reader.readAtLeast(bytes, room), cutOff),
            cancel: () =>
              call(
                actor,
                () => reader.cancel(),
                () => undefined,
              ),
          }),
        };
        // All that is used of a stream that comes from another invocation.
        return stream as unknown as ReadableStream<Uint8Array>;
      },
      [Symbol.dispose]: () => later(() => world.resume(actor, over)),
    };
  }

  return {
    open: () =>
      new Promise((resolve) => {
        later(() =>
          start(
            (code, actor) =>
              new Promise((over) => {
                answer(() => resolve(readerIn(code, actor, over)));
              }),
          ),
        );
      }),
  };
}
