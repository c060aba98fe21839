import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { type Checked, findings } from '../../src/health/checks.ts';

const NOW = new Date('2026-07-10T12:00:00Z');
const out = () => Promise.reject(new Error('out of order'));
const hangs = () => new Promise<never>(() => {});

/** A queue whose oldest message has waited for so many minutes. */
function queueWith(backlogCount: number, minutes: number): Checked['events'] {
  const oldestMessageTimestamp = new Date(NOW.getTime() - minutes * 60_000);
  return { metrics: async () => ({ backlogCount, backlogBytes: 1, oldestMessageTimestamp }) };
}

const WELL: Checked = { tokens: { size: 1 }, tokenFaults: [], events: env.EVENTS, bucket: env.BUCKET };

describe('findings()', () => {
  test('finds nothing with a real queue and bucket', async () => {
    const found = await findings(WELL, new Date());
    expect(found).toEqual({ secrets: undefined, queue: undefined, backlog: undefined, bucket: undefined });
  });

  test.each<[string, Partial<Checked>, string[]]>([
    ['no token', { tokens: { size: 0 } }, ['secrets']],
    ['senders that cannot be read', { tokenFaults: ['API_TOKENS: is not JSON'] }, ['secrets']],
    ['a queue that fails', { events: { metrics: out } }, ['queue', 'backlog']],
    ['a queue that hangs', { events: { metrics: hangs } }, ['queue', 'backlog']],
    ['a bucket that fails', { bucket: { head: out } }, ['bucket']],
    ['a bucket that hangs', { bucket: { head: hangs } }, ['bucket']],
    ['a message that waits for 15 minutes', { events: queueWith(1, 15) }, []],
    ['a message that waits for 16 minutes', { events: queueWith(1, 16) }, ['backlog']],
    ['an old time without a message', { events: queueWith(0, 16) }, []],
    [
      'all at once',
      { tokens: { size: 0 }, events: queueWith(9, 99), bucket: { head: out } },
      ['secrets', 'backlog', 'bucket'],
    ],
  ])('with %s', async (_, changed, failed) => {
    const found = await findings({ ...WELL, ...changed }, NOW);
    expect(Object.keys(found).filter((check) => found[check] !== undefined)).toEqual(failed);
  });
});
