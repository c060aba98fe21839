/** The command as an operator types it, against the running service. */

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { LocalService } from '../../src/cli/local-service.ts';
import { type ObjectStore, openStore } from '../../src/cli/object-store.ts';
import { PROJECT } from '../../src/cli/project.ts';
import type { DeadLetter } from '../../src/storage/dead-letter.ts';
import { ndjson } from '../../src/storage/line.ts';
import type { Rejection } from '../../src/storage/rejection.ts';
import { sharedService } from '../e2e/shared-service.ts';
import { SMALL_EVENT } from '../sample.ts';

const PARTITION = 'dt=2026-03-01/hour=09';
const EVENT = ndjson({ event_id: '019ca8b4-1f80-7c2e-9d61-b9b0b5a2e001', staff_comment: 'as it\u2028was' });
const REJECTION = ndjson({ rejection_id: '019ca8b4-1f80-7c2e-9d61-b9b0b5a2e002', sender: 'default' });

let service: LocalService;
let store: ObjectStore;

beforeAll(async () => {
  service = await sharedService();
  store = openStore(service.store);
});

const COMMAND = join(PROJECT, 'src/cli/replay.ts');

function environment(): NodeJS.ProcessEnv {
  const { url, accessKeyId, secretAccessKey } = service.store;
  return {
    ...process.env,
    R2_URL: url,
    R2_ACCESS_KEY_ID: accessKeyId,
    R2_SECRET_ACCESS_KEY: secretAccessKey,
    API_TOKEN: service.token,
  };
}

async function replay(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [COMMAND, ...args], { env: environment() });
  return stdout;
}

/** The objects under a prefix and what they hold. */
async function objects(prefix: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for await (const { key } of store.list(prefix)) found[key] = new TextDecoder().decode(await store.get(key));
  return found;
}

function deadLetter(body: string): string {
  return ndjson({
    message_id: 'm1',
    queue: 'reservation-events',
    attempts: 101,
    enqueued_at: '2026-03-01T09:00:00.000Z',
    dead_lettered_at: '2026-03-02T09:30:00.000Z',
    reason: 'attempts_exhausted',
    body_encoding: 'text',
    body,
  } satisfies DeadLetter);
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

describe('npm run replay -- dead-letter', () => {
  const key = `dead-letter/${PARTITION}/019ca8b4-2000-7000-8000-000000000001.ndjson`;
  const landing = key.replace('dead-letter/', 'landing/');
  const letters = [EVENT, REJECTION, 'no line of ours'].map(deadLetter).join('');

  beforeAll(() => store.create(key, letters));

  test('shows what would happen and changes nothing', async () => {
    const output = await replay('dead-letter', '--all');
    expect(output).toContain('1 event(s) to landing/, 1 to rejected/');
    expect(output).toContain('2 to replay. Nothing was changed');
    expect(Object.keys(await objects(''))).toEqual([key]);
  });

  test('leaves other hours alone', async () => {
    expect(await replay('dead-letter', '--no-dry-run', '--from', '2026-03-01T10:00Z')).toContain('Nothing was found');
    expect(await replay('dead-letter', '--no-dry-run', '--to', '2026-03-01T09:00Z')).toContain('Nothing was found');
    expect(Object.keys(await objects(''))).toEqual([key]);
  });

  test('puts the lines back as they were, and the second time nothing', async () => {
    const first = await replay(
      'dead-letter',
      '--no-dry-run',
      '--from',
      '2026-03-01T09:59Z',
      '--to',
      '2026-03-01T10:00Z',
    );
    expect(first).toContain('1 left alone, 2 replayed');
    const after = await objects('');
    expect(after).toMatchObject({
      [key]: letters,
      [landing]: EVENT,
      [key.replace('dead-letter/', 'rejected/')]: REJECTION,
    });
    expect(await replay('dead-letter', '--no-dry-run', '--key', key)).toContain('2 done before');
    expect(await objects('')).toEqual(after);
  });

  test('puts nothing back twice when it was broken off before it could note what it did', async () => {
    await store.delete(`replayed/${key}`);
    expect(await replay('dead-letter', '--no-dry-run', '--all')).toContain('2 replayed');
    expect(Object.keys(await objects('landing/'))).toEqual([landing]);
  });
});

describe('npm run replay -- rejected', () => {
  const key = `rejected/${PARTITION}/019ca8b4-3000-7000-8000-000000000001.ndjson`;
  const selection = ['--key', key, '--endpoint'] as const;

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
      ].join(''),
    ),
  );

  test('sends nothing unless it is told to', async () => {
    expect(await replay('rejected', ...selection, service.endpoint)).toContain(
      '4 to replay, 1 done before, 1 left alone',
    );
    expect(await landed()).not.toContain('corrected');
  });

  test('sends what is taken now, once, and the second time nothing', async () => {
    const args = ['rejected', '--no-dry-run', ...selection, service.endpoint, '--sender', 'default'];
    const before = Object.keys(await objects('rejected/'));
    expect(await replay(...args)).toContain('2 replayed, 1 done before, 1 still refused, 1 left alone');
    await vi.waitFor(async () => expect((await landed()).split('corrected')).toHaveLength(3), 30_000);
    expect(await replay(...args)).toContain('3 done before, 1 still refused, 1 left alone');
    const rows = (await landed()).split('\n').filter((line) => line.includes('corrected'));
    expect(rows.map((row) => JSON.parse(row))).toMatchObject([
      // It happened when the body first came, unless the body says better.
      { idempotency_key: 'delivery-7', sender: 'default', occurred_at: '2026-03-01T09:10:00.000Z' },
      { idempotency_key: 'delivery-8', sender: 'default', occurred_at: '2026-02-28T23:00:00.000Z' },
    ]);
    expect(Object.keys(await objects('rejected/'))).toEqual(before);
  });
});

test('a replay that is interrupted goes on where it stopped', async () => {
  const key = `rejected/${PARTITION}/019ca8b4-4000-7000-8000-000000000001.ndjson`;
  const comments = ['first', 'second', 'third'];
  const lines = comments.map((comment, at) =>
    rejection({
      body_fingerprint: `${at}`.repeat(32),
      body: JSON.stringify({ ...SMALL_EVENT, StaffComment: comment }),
    }),
  );
  await store.create(key, lines.join(''));
  const args = ['rejected', '--no-dry-run', '--rate', '1', '--key', key, '--endpoint', service.endpoint];

  const running = spawn(process.execPath, [COMMAND, ...args], { env: environment() });
  const ended = once(running, 'exit');
  const [output] = await once(running.stdout, 'data');
  running.kill('SIGINT');
  expect(await ended).toEqual([1, null]);
  expect(String(output)).toContain('is event');

  expect(await replay(...args.filter((arg) => arg !== '--rate' && arg !== '1'))).toMatch(/\d replayed/);
  await vi.waitFor(async () => {
    const rows = Object.values(await objects('landing/')).flatMap((text) => text.split('\n'));
    const found = comments.map((comment) => rows.filter((row) => row.includes(`"${comment}"`)).length);
    expect(found).toEqual([1, 1, 1]);
  }, 30_000);
});

test('npm run replay asks for the address when the bucket is not the one of `npm start`', async () => {
  await expect(replay('rejected', '--all', '--no-dry-run')).rejects.toThrow('give --endpoint');
});
