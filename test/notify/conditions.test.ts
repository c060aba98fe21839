import { describe, expect, test } from 'vitest';
import type { Backlog, Observed } from '../../src/health/observe.ts';
import { conditionsOf } from '../../src/notify/conditions.ts';
import type { LastRun } from '../../src/storage/last-run.ts';
import type { Watermark } from '../../src/storage/watermark.ts';
import { lastRunOf, watermarkOf } from '../records.ts';

const NOW = new Date('2026-07-10T12:00:00.000Z');
const CONFIG = {
  tokens: { size: 1 },
  tokenFaults: [],
  alertWebhook: undefined,
  pseudonymKeyFault: undefined,
  publishAfterMs: 300_000,
  tableCron: undefined,
};
const EMPTY: Backlog = { count: 0, bytes: 0, oldest: undefined };

function observed(
  queues: Partial<Observed['queues']> = {},
  watermark: Partial<Watermark> = {},
  lastRun: Partial<LastRun> = {},
): Observed {
  return {
    queues: { events: EMPTY, deadLetters: EMPTY, rejected: EMPTY, rejectedDeadLetters: EMPTY, ...queues },
    publisher: {
      lastRun: lastRunOf({ started_at: '2026-07-10T11:59:00.000Z', ...lastRun }),
      watermark: watermarkOf('2026-07-10T11:50:00.000Z', watermark),
      landed: null,
      table: { lastRun: null, waiting: null },
      unreadable: [],
    },
  };
}

const raised = (state: Observed) =>
  Object.fromEntries([...conditionsOf(state, CONFIG, NOW, [])].filter(([, finding]) => finding !== null));

describe('conditionsOf()', () => {
  test('finds nothing wrong, and knows of every alarm', () => {
    const conditions = conditionsOf(observed(), CONFIG, NOW, []);
    expect([...conditions.values()].filter((finding) => finding !== null)).toEqual([]);
    expect([...conditions.keys()]).toEqual([
      'secrets',
      'queue',
      'backlog',
      'capacity',
      'dead_letters',
      'rejected',
      'published',
      'watermark',
      'table',
      'erasures',
      'late_events',
      'shown_tokens',
    ]);
  });

  test.each<[string, Observed, string, RegExp]>([
    [
      'a queue that is more than half full',
      observed({ events: { count: 9, bytes: 12_600_000_000, oldest: NOW } }),
      'capacity',
      /^The queue holds 12\.6 GB of the 25 GB/,
    ],
    [
      'a dead-letter queue that is more than half full',
      observed({ deadLetters: { count: 9, bytes: 20_000_000_000, oldest: NOW } }),
      'capacity',
      /^The dead-letter queue holds 20\.0 GB of the 25 GB/,
    ],
    [
      'an event behind the watermark',
      observed({}, { late_events: 1, last_late_at: '2026-07-09T12:00:00.000Z' }),
      'late_events',
      /2026-07-09T12:00/,
    ],
  ])('rings for %s', (_, state, name, finding) => {
    expect(raised(state)).toEqual({ [name]: expect.stringMatching(finding) });
  });

  test.each<[string, Observed]>([
    ['a queue that is half full', observed({ events: { count: 9, bytes: 12_500_000_000, oldest: NOW } })],
    ['messages that no replay helps', observed({}, { unrecognised_messages: 3 })],
    ['a late event of more than a day ago', observed({}, { last_late_at: '2026-07-09T11:59:59.999Z' })],
  ])('does not notify for %s', (_, state) => {
    expect(raised(state)).toEqual({});
  });

  test('rings for what the checks find, by their names', () => {
    const since = '2026-07-09T11:00:00.000Z';
    const waiting = { count: 1, bytes: 1, oldest: new Date(since) };
    const queues = { events: waiting, deadLetters: waiting, rejected: waiting };
    const lastRun = { started_at: since, without_age_since: since, unfinished_erasure_since: since };
    expect(raised(observed(queues, {}, lastRun))).toEqual({
      backlog: expect.stringMatching(/^Events have waited for 1500 minutes/),
      dead_letters: expect.stringMatching(/^Dead letters have waited/),
      rejected: expect.stringMatching(/^Refused bodies have waited/),
      published: expect.stringMatching(/^The publisher has not run/),
      watermark: expect.stringMatching(/^For 1500 minutes the queue has not said/),
      erasures: expect.stringMatching(/was to be erased at/),
    });
  });

  test('rings once for a queue that does not answer', () => {
    expect(raised(observed({ events: undefined }))).toEqual({ queue: 'The queue does not answer' });
  });

  test('rings for a queue that fills while another does not answer', () => {
    const full = { count: 9, bytes: 20_000_000_000, oldest: NOW };
    const conditions = conditionsOf(observed({ events: undefined, deadLetters: full }), CONFIG, NOW, []);
    expect(conditions.get('capacity')).toContain('The dead-letter queue holds 20.0 GB');
  });

  test.each([
    ['events', ['backlog', 'capacity']],
    ['deadLetters', ['capacity', 'dead_letters']],
    ['rejected', ['capacity', 'rejected']],
    ['rejectedDeadLetters', ['capacity', 'dead_letters']],
  ] as const)('leaves as they are, while the queue %s does not answer, %j and no others', (queue, left) => {
    const known = [...conditionsOf(observed(), CONFIG, NOW, []).keys()];
    const conditions = conditionsOf(observed({ [queue]: undefined }), CONFIG, NOW, []);
    expect(known.filter((name) => !conditions.has(name))).toEqual(left);
  });

  test('leaves the alarm of shown tokens as it is while they are not known', () => {
    expect(conditionsOf(observed(), CONFIG, NOW, undefined).has('shown_tokens')).toBe(false);
  });

  test('says nothing of the publisher while the bucket does not answer', () => {
    const conditions = conditionsOf({ ...observed(), publisher: undefined }, CONFIG, NOW, []);
    const known = ['secrets', 'queue', 'backlog', 'capacity', 'dead_letters', 'rejected', 'shown_tokens'];
    expect([...conditions.keys()]).toEqual(known);
  });
});
