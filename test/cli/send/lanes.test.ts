import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { divide, type GroupLimits, type Lane } from '../../../src/cli/send/lanes.ts';
import type { Outgoing } from '../../../src/cli/send/outgoing.ts';

const LIMITS: GroupLimits = { events: 1_000, bytes: 1_000_000 };

/** Events named by their reservation and number, such as `a1`; those of `-` have no reservation. */
async function* events(names: readonly string[], body = ''): AsyncGenerator<Outgoing> {
  for (const [at, name] of names.entries()) {
    const reservation = name.startsWith('-') ? undefined : name.replace(/\d+$/, '');
    const text = body || name;
    yield { line: at + 1, body: text, key: name, reservation, bytes: text.length };
  }
}

const GOING_ON = new AbortController().signal;

/** What a lane sends, request by request. */
async function requestsOf(lane: Lane | undefined, limits = LIMITS): Promise<string[]> {
  const requests: string[] = [];
  for (;;) {
    const group = (await lane?.next(limits)) ?? [];
    if (group.length === 0) return requests;
    requests.push(group.map(({ key }) => key).join(' '));
  }
}

test('`divide()` sends the events of a reservation in requests of their own, in order, and others beside them', async () => {
  const [lane] = divide(events(['a1', 'a2', 'b1', '-1', 'a3', '-2', 'c1', 'b2']), 1, GOING_ON);
  expect(await requestsOf(lane)).toEqual(['a1 b1 -1 -2 c1', 'a2 b2', 'a3']);
});

test('`divide()` gives every event to one lane, and all of a reservation to the same', async () => {
  const names = Array.from({ length: 3_000 }, (_, at) => `r${at % 500}x${at}`.replace('x', '-'));
  const input = (async function* () {
    for await (const event of events(names)) yield { ...event, reservation: event.key.split('-')[0] };
  })();
  const sent = await Promise.all(divide(input, 8, GOING_ON).map((lane) => requestsOf(lane)));
  const lanes = sent.map((requests) => requests.flatMap((keys) => keys.split(' ')));
  expect(lanes.flat().toSorted()).toEqual(names.toSorted());
  const homes = Map.groupBy(
    lanes.entries().flatMap(([at, keys]) => keys.map((key) => ({ at, key }))),
    ({ key }) => key.split('-')[0],
  );
  for (const [, keys] of homes) {
    expect(new Set(keys.map(({ at }) => at)).size).toBe(1);
    const numbers = keys.map(({ key }) => Number(key.split('-')[1]));
    expect(numbers).toEqual(numbers.toSorted((left, right) => left - right));
  }
  expect(lanes.every((keys) => keys.length > 100)).toBe(true);
});

test.each<[string, GroupLimits, string[]]>([
  ['events', { events: 2, bytes: 1_000 }, ['-1 -2', '-3 -4', '-5']],
  ['bytes', { events: 1_000, bytes: 7 }, ['-1 -2 -3', '-4 -5']],
  ['one event that is larger', { events: 1_000, bytes: 1 }, ['-1', '-2', '-3', '-4', '-5']],
])('`divide()` fills a request with as many %s as fit', async (_, limits, expected) => {
  const [lane] = divide(events(['-1', '-2', '-3', '-4', '-5']), 1, GOING_ON);
  expect(await requestsOf(lane, limits)).toEqual(expected);
});

/** 200 MiB for one lane, then an event for the other, and the lanes in this order. */
function crowd(stopped: AbortSignal) {
  const other = ['b', 'c', 'd', 'e', 'f', 'g'].find((name) => crc32(name) % 2 !== crc32('a') % 2);
  const run = { read: 0 };
  const input = (async function* () {
    for await (const event of events([...Array.from({ length: 200 }, (_, at) => `a${at}`), `${other}1`], MEGABYTE)) {
      run.read += 1;
      yield event;
    }
  })();
  const lanes = divide(input, 2, stopped);
  return { run, lanes: crc32('a') % 2 === 0 ? lanes : lanes.toReversed() };
}

const MEGABYTE = 'x'.repeat(1024 * 1024);

test('`divide()` reads no further while 64 MiB wait for another lane, and goes on when that has sent', async () => {
  const { run, lanes } = crowd(GOING_ON);
  const sent = requestsOf(lanes[1]);
  await lanes[0]?.next(LIMITS);
  expect(run.read).toBeLessThanOrEqual(66);
  expect(await requestsOf(lanes[0])).toHaveLength(199);
  expect(await sent).toHaveLength(1);
});

test('`divide()` ends a lane that waits for another when it is told to', async () => {
  const stop = new AbortController();
  const sent = requestsOf(crowd(stop.signal).lanes[1]);
  stop.abort();
  expect(await sent).toEqual([]);
});
