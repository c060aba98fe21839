import { expect, test } from 'vitest';
import type { Outgoing } from '../../../src/cli/send/outgoing.ts';
import { takeTurns } from '../../../src/cli/send/turns.ts';

/** Events named by their reservation and number, such as `a1`; those of `-` have no reservation. */
async function* events(...names: string[]): AsyncGenerator<Outgoing> {
  for (const [at, name] of names.entries()) {
    yield { line: at + 1, body: name, key: name, reservation: name.startsWith('-') ? undefined : name.charAt(0) };
  }
}

/** Takes up to `count` events, and what was taken. */
async function take(from: AsyncIterator<Outgoing>, count: number): Promise<Outgoing[]> {
  const taken: Outgoing[] = [];
  while (taken.length < count) {
    const { done, value } = await from.next();
    if (done) break;
    taken.push(value);
  }
  return taken;
}

const names = (taken: readonly Outgoing[]) => taken.map(({ body }) => body).join(' ');

test('`takeTurns()` holds an event back until the one before it of its reservation is finished', async () => {
  const turns = takeTurns(events('a1', 'a2', 'b1', '-1', 'a3', '-2', 'c1'));
  const ready = turns.events[Symbol.asyncIterator]();
  const first = await take(ready, 5);
  expect(names(first)).toBe('a1 b1 -1 -2 c1');
  for (const event of first) turns.finish(event);
  const second = await take(ready, 1);
  expect(names(second)).toBe('a2');
  for (const event of second) turns.finish(event);
  expect(names(await take(ready, 2))).toBe('a3');
});

test('`takeTurns()` waits for an answer when all that is left has to wait', async () => {
  const turns = takeTurns(events('a1', 'a2', 'b1', 'b2'));
  const ready = turns.events[Symbol.asyncIterator]();
  const [a1, b1] = await take(ready, 2);
  const next = take(ready, 2);
  if (a1) turns.finish(a1);
  if (b1) turns.finish(b1);
  expect((await next).map(({ body }) => body).toSorted()).toEqual(['a2', 'b2']);
});

test('`takeTurns()` reads no further while a thousand events wait', async () => {
  let read = 0;
  async function* many(): AsyncGenerator<Outgoing> {
    for await (const event of events(...Array.from({ length: 5_000 }, (_, at) => `a${at}`))) {
      read += 1;
      yield event;
    }
  }
  const turns = takeTurns(many());
  const sent: Outgoing[] = [];
  for await (const event of turns.events) {
    expect(read).toBeLessThanOrEqual(sent.length + 1_001);
    sent.push(event);
    setImmediate(() => turns.finish(event));
  }
  expect(names(sent)).toBe(names(await Array.fromAsync(events(...Array.from({ length: 5_000 }, (_, at) => `a${at}`)))));
});
