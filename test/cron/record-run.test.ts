import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, expect, test } from 'vitest';
import { recordRun } from '../../src/cron/last-run.ts';
import { clockAt } from '../clock.ts';

afterEach(() => reset());

const [EARLIER, LATER] = ['2026-07-10T11:00:00.000Z', '2026-07-10T12:00:00.000Z'];

const runAt = (started_at: string, ended: 'done' | 'more' | 'busy' | 'overtaken' | 'failed') =>
  recordRun(
    env.BUCKET,
    {
      started_at,
      ended,
      duration_ms: 1,
      rows: 0,
      objects: 0,
      unfinished_erasure_since: null,
      readings_without_age: 0,
      without_age_since: null,
      pseudonym_key_check: null,
      version: 'v1',
    },
    clockAt(Date.parse(started_at)),
  );

test.each([
  ['done', LATER],
  ['more', LATER],
  ['busy', EARLIER],
  ['overtaken', EARLIER],
  ['failed', EARLIER],
] as const)(
  '`recordRun()` takes for the last good run, after one that ended with %s, that of %s',
  async (ended, good) => {
    await runAt(EARLIER, 'done');
    await runAt(LATER, ended);
    const record = await (await env.BUCKET.get('publish/last-run.json'))?.json();
    expect(record).toMatchObject({ started_at: LATER, ended, last_good_at: good });
  },
);
