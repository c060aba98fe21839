/** The command as an operator types it, against the running service. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { LocalService } from '../../src/cli/local-service.ts';
import { createObjectStore, type ObjectStore } from '../../src/cli/object-store.ts';
import { ndjson } from '../../src/storage/line.ts';
import type { Rejection } from '../../src/storage/rejection.ts';
import { STRICT_TOKEN, sharedService } from '../e2e/shared-service.ts';
import { SMALL_EVENT } from '../sample.ts';
import { bucketOf, pathOf, run } from './commands.ts';

/** The object of an hour, and the options that choose it. */
function objectIn(hour: number) {
  const at = (time: number) => `2026-03-01T${String(time).padStart(2, '0')}:00Z`;
  return {
    key: `rejected/dt=2026-03-01/hour=${String(hour).padStart(2, '0')}/019ca8b4-3000-7000-8000-000000000001.ndjson`,
    selection: ['--from', at(hour), '--to', at(hour + 1)],
  };
}

let service: LocalService;
let store: ObjectStore;

beforeAll(async () => {
  service = await sharedService();
  store = createObjectStore(service.store);
});

async function replay(...args: string[]): Promise<string> {
  return replayAs(service.token, ...args);
}

async function replayAs(token: string, ...args: string[]): Promise<string> {
  return (await run('replay', args, { env: { ...bucketOf(service), API_TOKEN: token } })).stdout;
}

/** The objects under a prefix and what they hold. */
async function objects(prefix: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for await (const { key } of store.list(prefix)) found[key] = new TextDecoder().decode(await store.get(key));
  return found;
}

/** A line of `rejected/`. */
function rejection(change: Partial<Rejection>): string {
  return ndjson({
    rejection_id: '019ca8b4-3000-7000-8000-000000000002',
    rejected_at: '2026-03-01T09:10:00.000Z',
    sender: 'default',
    status: 422,
    problem: 'invalid-event',
    reason: 'invalid_event',
    errors: [{ field: 'EventType', code: 'not_allowed' }],
    content_type: 'application/json',
    content_encoding: null,
    idempotency_key: 'delivery-7',
    body_fingerprint: '00000000000000000000000000000001',
    truncated: false,
    body_encoding: 'text',
    body: JSON.stringify({ ...SMALL_EVENT, StaffComment: 'corrected' }),
    ...change,
  } satisfies Rejection);
}

describe('npm run replay', () => {
  const { key, selection } = objectIn(9);

  const landed = async () => Object.values(await objects('landing/')).join('');

  beforeAll(() =>
    store.create(
      key,
      [
        rejection({}),
        // The sender tried the same again, and what the service refuses today as well.
        rejection({ rejected_at: '2026-03-01T09:20:00.000Z' }),
        rejection({
          body_fingerprint: '00000000000000000000000000000005',
          idempotency_key: 'delivery-8',
          body: JSON.stringify({ ...SMALL_EVENT, StaffComment: 'corrected', UpdatedUtc: '2026-03-01T00:00:00+01:00' }),
        }),
        rejection({ body_fingerprint: '00000000000000000000000000000002', body: '{}' }),
        rejection({ body_fingerprint: '00000000000000000000000000000003', truncated: true }),
        rejection({ body_fingerprint: '00000000000000000000000000000004', sender: 'another' }),
        'what somebody else put there\n',
      ].join(''),
    ),
  );

  test('sends nothing unless it is told to', async () => {
    expect(await replay(...selection, '--url', service.endpoint)).toContain('4 to replay, 1 done before, 2 left alone');
    expect(await landed()).not.toContain('corrected');
  });

  test('sends what is taken now, once, and the second time nothing', async () => {
    const args = ['--yes', ...selection, '--url', service.endpoint, '--sender', 'default'];
    const before = Object.keys(await objects('rejected/'));
    expect(await replay(...args)).toContain('2 replayed, 1 done before, 1 still refused, 2 left alone');
    await vi.waitFor(async () => expect((await landed()).split('corrected')).toHaveLength(3), 30_000);
    expect(await replay(...args)).toContain('3 done before, 1 still refused, 2 left alone');
    const rows = (await landed()).split('\n').filter((line) => line.includes('corrected'));
    expect(rows.map((row) => JSON.parse(row))).toMatchObject([
      // It happened when the body first came, unless the body says better.
      { idempotency_key: 'delivery-7', sender: 'default', occurred_at: '2026-03-01T09:10:00.000Z' },
      { idempotency_key: 'delivery-8', sender: 'default', occurred_at: '2026-02-28T23:00:00.000Z' },
    ]);
    expect(Object.keys(await objects('rejected/'))).toEqual(before);
  });
});

test('npm run replay stores nothing twice for a sender whose events are answered with 200', async () => {
  const { key, selection } = objectIn(10);
  await store.create(key, rejection({ sender: 'strict', body_fingerprint: '6'.repeat(32) }));
  const args = ['--yes', ...selection, '--url', service.endpoint];
  expect(await replayAs(STRICT_TOKEN, ...args)).toMatch(/is event [\da-f-]{36}\n1 replayed\n/);
  expect(await replayAs(STRICT_TOKEN, ...args)).toBe('1 done before\n');
});

test('a replay that is interrupted goes on where it stopped', async () => {
  const { key, selection } = objectIn(11);
  // More than two seconds' worth.
  const comments = Array.from({ length: 30 }, (_, at) => `comment ${at}`);
  const lines = comments.map((comment, at) =>
    rejection({
      body_fingerprint: String(at).padStart(32, '7'),
      body: JSON.stringify({ ...SMALL_EVENT, StaffComment: comment }),
    }),
  );
  await store.create(key, lines.join(''));
  const args = ['--yes', ...selection, '--url', service.endpoint];

  const running = spawn(process.execPath, [pathOf('replay'), ...args], {
    env: { ...process.env, ...bucketOf(service), API_TOKEN: service.token },
  });
  const ended = once(running, 'exit');
  const [output] = await once(running.stdout, 'data');
  running.kill('SIGINT');
  expect(await ended).toEqual([130, null]);
  expect(String(output)).toContain('is event');

  expect(await replay(...args)).toMatch(/\d replayed/);
  await vi.waitFor(async () => {
    const rows = Object.values(await objects('landing/')).flatMap((text) => text.split('\n'));
    const found = comments.map((comment) => rows.filter((row) => row.includes(`"${comment}"`)).length);
    expect(new Set(found)).toEqual(new Set([1]));
  }, 30_000);
});

test('npm run replay asks for the address when the bucket is not the one of `npm start`', async () => {
  await expect(replay('--all', '--yes')).rejects.toThrow('give --url');
});
