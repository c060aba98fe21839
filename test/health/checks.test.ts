import { describe, expect, test } from 'vitest';
import { check } from '../../src/health/checks.ts';
import type { Backlog, Observed, Publisher } from '../../src/health/observe.ts';
import type { LastRun } from '../../src/storage/last-run.ts';
import type { TableRun } from '../../src/storage/table-run.ts';
import { lastRunOf, watermarkOf } from '../records.ts';

const NOW = new Date('2026-07-10T12:00:00.000Z');
const ago = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000);

const EMPTY: Backlog = { count: 0, bytes: 0, oldest: undefined };
/** A queue whose oldest message has waited for so many minutes. */
const waiting = (minutes: number): Backlog => ({ count: 1, bytes: 1, oldest: ago(minutes) });

/** A run that started so many minutes ago, and the last good one. */
function ranAt(minutes: number, good: number | null, ended: LastRun['ended'] = 'done'): LastRun {
  const last_good_at = good === null ? null : ago(good).toISOString();
  return lastRunOf({ started_at: ago(minutes).toISOString(), ended, last_good_at });
}

const completeTo = (minutes: number) => watermarkOf(ago(minutes).toISOString());

/** A run of the table's writer that ended so many minutes ago, the last good one, and how far the table is complete. */
function wroteAt(minutes: number, good: number | null, complete: number | null, ended: TableRun['ended'] = 'done') {
  const time = (at: number | null) => (at === null ? null : ago(at).toISOString());
  const lastRun: TableRun = {
    run: 'r',
    ended_at: ago(minutes).toISOString(),
    ended,
    last_good_at: time(good),
    log_sequence: 0,
    complete_through: time(complete),
    tidied_at: null,
    replaced_through: 0,
  };
  return { table: { lastRun, waiting: null } };
}

const PUBLISHER: Publisher = {
  lastRun: ranAt(1, 1),
  watermark: completeTo(70),
  landed: ago(60),
  ...wroteAt(1, 1, 80),
  unreadable: [],
};
const QUEUES = { events: EMPTY, deadLetters: EMPTY, rejected: EMPTY, rejectedDeadLetters: EMPTY };
const WELL: Observed = { queues: QUEUES, publisher: PUBLISHER };
const TOKENS = {
  tokens: { size: 1 },
  tokenFaults: [] as string[],
  publishAfterMs: 5 * 60_000,
  tableCron: '1-59/2 * * * *',
  alertWebhook: undefined,
  pseudonymKeyFault: undefined,
};

const queue = (name: keyof typeof QUEUES, backlog: Backlog | undefined): Observed => ({
  ...WELL,
  queues: { ...QUEUES, [name]: backlog },
});
const publisher = (changed: Partial<Publisher>): Observed => ({ ...WELL, publisher: { ...PUBLISHER, ...changed } });

const runSaying = (facts: Partial<LastRun>): Observed => publisher({ lastRun: { ...ranAt(1, 1), ...facts } });

/** A guest was to be erased so many minutes ago, and is not yet. */
const erasingFor = (minutes: number) => runSaying({ unfinished_erasure_since: ago(minutes).toISOString() });

function failed(observed: Observed, tokens = TOKENS): string[] {
  return Object.entries(check(observed, tokens, NOW)).flatMap(([name, finding]) => (finding === undefined ? [] : name));
}

describe('check()', () => {
  test('takes a service with a token for well, and none without', () => {
    expect(failed(WELL)).toEqual([]);
    expect(failed(WELL, { ...TOKENS, tokens: { size: 0 } })).toEqual(['secrets']);
  });

  test('does not take senders that cannot be read for an empty list', () => {
    const { secrets } = check(WELL, { ...TOKENS, tokenFaults: ['API_TOKENS: is not JSON'] }, NOW);
    expect(secrets).toMatch(/API_TOKENS cannot be read/);
  });

  test('names what cannot be read of what the publisher has left behind, and takes the bucket for well', () => {
    const findings = check(publisher({ watermark: null, unreadable: ['events/v1/_watermark.json'] }), TOKENS, NOW);
    expect(findings.published).toContain('events/v1/_watermark.json');
    expect(findings.bucket).toBeUndefined();
  });

  test('says that a key cannot be used', () => {
    const fault = 'PSEUDONYM_KEY has fewer than 32 characters';
    expect(check(WELL, { ...TOKENS, pseudonymKeyFault: fault }, NOW).secrets).toBe(fault);
  });

  test.each<[string, boolean]>([
    ['https://hooks.example/T1/secret', true],
    ['http://localhost:9000/hook', true],
    ['http://127.0.0.1:9000/hook', true],
    ['http://hooks.example/T1/secret', false],
    ['hooks.example/T1/secret', false],
    ['file:///etc/passwd', false],
  ])('takes %s for a webhook: %s, and does not repeat it', (alertWebhook, usable) => {
    const { secrets } = check(WELL, { ...TOKENS, alertWebhook }, NOW);
    expect(secrets === undefined).toBe(usable);
    expect(secrets ?? '').not.toContain(alertWebhook);
  });

  test.each<[string, Observed, string[]]>([
    ['a queue that does not answer', queue('events', undefined), ['queue', 'backlog']],
    ['a message of 15 minutes', queue('events', waiting(15)), []],
    ['a message of 16 minutes', queue('events', waiting(16)), ['backlog']],
    ['messages of unknown age', queue('events', { ...EMPTY, count: 3 }), ['backlog']],
    ['an old time without a message', queue('events', { ...waiting(16), count: 0 }), []],
    ['a dead letter of a minute', queue('deadLetters', waiting(1)), []],
    ['a dead letter of 16 minutes', queue('deadLetters', waiting(16)), ['dead_letters']],
    ['dead letters of unknown age', queue('deadLetters', { ...EMPTY, count: 1 }), ['dead_letters']],
    ['a dead-letter queue that does not answer', queue('deadLetters', undefined), ['dead_letters']],
    ['a dead letter of a refused body', queue('rejectedDeadLetters', waiting(16)), ['dead_letters']],
    ['a refused body of 16 minutes', queue('rejected', waiting(16)), ['rejected']],
    ['a queue of refused bodies that does not answer', queue('rejected', undefined), ['rejected']],
    ['readings without an age for 30 minutes', runSaying({ without_age_since: ago(30).toISOString() }), []],
    ['readings without an age for longer', runSaying({ without_age_since: ago(30.1).toISOString() }), ['watermark']],
    ['an erasure of 24 hours', erasingFor(24 * 60), []],
    ['an erasure of more than 24 hours', erasingFor(24 * 60 + 1), ['erasures']],
    ['a bucket that does not answer', { ...WELL, publisher: undefined }, ['bucket', 'published']],
  ])('with %s', (_, observed, expected) => {
    expect(failed(observed)).toEqual(expected);
  });

  test.each<[string, Partial<Publisher>, RegExp | undefined]>([
    ['nothing yet', { lastRun: null, watermark: null, landed: null }, undefined],
    ['no run yet, and events for 30 minutes', { lastRun: null, landed: ago(30) }, undefined],
    ['no run yet, and events for 31 minutes', { lastRun: null, landed: ago(31) }, /never run, .* 31 minutes/],
    ['a run 15 minutes ago', { lastRun: ranAt(15, 15) }, undefined],
    ['a run 16 minutes ago', { lastRun: ranAt(16, 16) }, /has not run for 16 minutes/],
    ['good runs 15 minutes ago, and failed ones', { lastRun: ranAt(1, 15, 'failed') }, undefined],
    ['good runs 16 minutes ago, and failed ones', { lastRun: ranAt(1, 16, 'failed') }, /has succeeded for 16 minutes/],
    ['a lease that is never given back', { lastRun: ranAt(1, 16, 'busy') }, /has succeeded for 16 minutes/],
    ['a first run that failed', { lastRun: ranAt(1, null, 'failed') }, /first runs of the publisher fail/],
    ['a first run that stood back', { lastRun: ranAt(1, null, 'busy') }, undefined],
    ['files of 125 minutes ago', { watermark: completeTo(125) }, undefined],
    ['files of 126 minutes ago', { watermark: completeTo(126) }, /complete only up to 2026-07-10T09:54/],
    ['no watermark yet', { watermark: null }, undefined],
  ])('with %s', (_, changed, finding) => {
    const { published } = check(publisher(changed), TOKENS, NOW);
    if (finding === undefined) expect(published).toBeUndefined();
    else expect(published).toMatch(finding);
  });

  test.each<[string, Partial<Publisher>, RegExp | undefined]>([
    ['no part yet', { table: { lastRun: null, waiting: null } }, undefined],
    ['no run yet, and parts for 30 minutes', { table: { lastRun: null, waiting: ago(30) } }, undefined],
    ['no run yet, and parts for 31 minutes', { table: { lastRun: null, waiting: ago(31) } }, /never run, .* 31 min/],
    ['a run 15 minutes ago', wroteAt(15, 15, 80), undefined],
    ['a run 16 minutes ago', wroteAt(16, 16, 80), /writer of the table has not run for 16 minutes/],
    ['good runs 16 minutes ago, and failed ones', wroteAt(1, 16, 80, 'failed'), /has succeeded for 16 minutes/],
    ['runs that are overtaken each time', wroteAt(1, 16, 80, 'overtaken'), /has succeeded for 16 minutes/],
    ['a first run that failed', wroteAt(1, null, null, 'failed'), /first runs of the writer of the table fail/],
    ['rows complete an hour behind', wroteAt(1, 1, 130, 'more'), undefined],
    ['rows complete more than an hour behind', wroteAt(1, 1, 131, 'more'), /complete only up to 2026-07-10T09:49/],
    [
      'an old table that has everything',
      { ...wroteAt(1, 1, 500), watermark: { ...completeTo(70), log_sequence: 0 } },
      undefined,
    ],
  ])('of the table, with %s', (_, changed, finding) => {
    const { table } = check(publisher(changed), TOKENS, NOW);
    if (finding === undefined) expect(table).toBeUndefined();
    else expect(table).toMatch(finding);
    expect(check(publisher(changed), { ...TOKENS, tableCron: undefined }, NOW).table).toBeUndefined();
  });
});
