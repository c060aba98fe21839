import { expect, test } from 'vitest';
import { IN_BATCHES, ONE_AT_A_TIME } from '../../../src/cli/send/batch.ts';
import type { Outgoing } from '../../../src/cli/send/outgoing.ts';
import { takeTurns } from '../../../src/cli/send/turns.ts';

/** Events named by their reservation and number, such as `a1`; those of `-` have no reservation. */
async function* events(...names: string[]): AsyncGenerator<Outgoing> {
  for (const [at, name] of names.entries()) {
    yield { line: at + 1, body: name, key: name, reservation: name.startsWith('-') ? undefined : name.charAt(0) };
  }
}

/** Takes up to `count` groups, and the events in them. */
async function take(from: AsyncIterator<readonly Outgoing[]>, count: number): Promise<Outgoing[]> {
  const taken: Outgoing[] = [];
  for (let groups = 0; groups < count; groups += 1) {
    const { done, value } = await from.next();
    if (done) break;
    taken.push(...value);
  }
  return taken;
}

const names = (taken: readonly Outgoing[]) => taken.map(({ body }) => body).join(' ');

test('`takeTurns()` holds an event back until the one before it of its reservation is finished', async () => {
  const turns = takeTurns(events('a1', 'a2', 'b1', '-1', 'a3', '-2', 'c1'), ONE_AT_A_TIME);
  const ready = turns.groups[Symbol.asyncIterator]();
  const first = await take(ready, 5);
  expect(names(first)).toBe('a1 b1 -1 -2 c1');
  for (const event of first) turns.finish(event);
  const second = await take(ready, 1);
  expect(names(second)).toBe('a2');
  for (const event of second) turns.finish(event);
  expect(names(await take(ready, 2))).toBe('a3');
});

test('`takeTurns()` waits for an answer when all that is left has to wait', async () => {
  const turns = takeTurns(events('a1', 'a2', 'b1', 'b2'), ONE_AT_A_TIME);
  const ready = turns.groups[Symbol.asyncIterator]();
  const [a1, b1] = await take(ready, 2);
  const next = take(ready, 2);
  if (a1) turns.finish(a1);
  if (b1) turns.finish(b1);
  expect((await next).map(({ body }) => body).toSorted()).toEqual(['a2', 'b2']);
});

test('`takeTurns()` reads no further while ten thousand events wait', async () => {
  let read = 0;
  async function* many(): AsyncGenerator<Outgoing> {
    for await (const event of events(...Array.from({ length: 20_000 }, (_, at) => `a${at}`))) {
      read += 1;
      yield event;
    }
  }
  const turns = takeTurns(many(), ONE_AT_A_TIME);
  const sent: Outgoing[] = [];
  for await (const [event] of turns.groups) {
    if (event === undefined) throw new Error('A group is empty');
    expect(read).toBeLessThanOrEqual(sent.length + 10_001);
    sent.push(event);
    setImmediate(() => turns.finish(event));
  }
  expect(names(sent)).toBe(
    names(await Array.fromAsync(events(...Array.from({ length: 20_000 }, (_, at) => `a${at}`)))),
  );
});

/** The groups of events that never wait for an answer: each has its own before the next group is taken. */
async function groupsOf(input: AsyncIterable<Outgoing>): Promise<(readonly Outgoing[])[]> {
  const turns = takeTurns(input, IN_BATCHES);
  const groups: (readonly Outgoing[])[] = [];
  for await (const group of turns.groups) {
    groups.push(group);
    for (const event of group) turns.finish(event);
  }
  return groups;
}

/** Events of reservations of their own, with these bodies. */
async function* bodies(...texts: string[]): AsyncGenerator<Outgoing> {
  for (const [at, body] of texts.entries()) yield { line: at + 1, body, key: `${at}`, reservation: undefined };
}

test('`takeTurns()` puts no two events of a reservation into one group', async () => {
  const named = events('a1', 'a2', 'b1', '-1', 'a3', '-2', 'c1', 'b2');
  const input = (async function* () {
    for await (const event of named) yield { ...event, body: JSON.stringify(event.body) };
  })();
  const groups = await groupsOf(input);
  expect(groups.map(names)).toEqual(['"a1" "b1" "-1" "-2" "c1"', '"a2" "b2"', '"a3"']);
});

test.each([
  ['events', Array.from({ length: 2_500 }, () => '{}'), [1_000, 1_000, 500]],
  ['bytes', Array.from({ length: 3 }, () => JSON.stringify('x'.repeat(500_000))), [2, 1]],
  ['JSON, apart from what is none', ['{}', '{}', '{not json', '{}', '{}'], [2, 1, 2]],
])('`takeTurns()` fills a batch with as many %s as the service takes', async (_, texts, sizes) => {
  expect((await groupsOf(bodies(...texts))).map(({ length }) => length)).toEqual(sizes);
});
