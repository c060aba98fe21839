import { appendFile, mkdtemp, readFile, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Delivered } from '../../../src/cli/send/deliver.ts';
import { openSentLog } from '../../../src/cli/send/sent-log.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sent-'));
});

afterEach(() => rm(folder, { recursive: true }));

const ANSWER = { eventId: '', isCheck: false, warnings: [], problem: '', faults: [], status: 202 };
const event = (line: number) => {
  const key = `${String(line).repeat(32)}-1`;
  return { line, key, body: `{"n":${line}}`, reservation: undefined };
};

test('`openSentLog()` loses no note after a line that was half written', async () => {
  const files = { sent: join(folder, 'sent.ndjson'), refused: join(folder, 'refused.ndjson') };
  const note = async (line: number, outcome: Delivered['outcome']) => {
    const log = await openSentLog(files);
    await log.note(event(line), { ...ANSWER, outcome });
    await log.close();
  };
  await note(1, 'accepted');
  await note(2, 'accepted');
  await truncate(files.sent, (await readFile(files.sent)).length - 3);
  await appendFile(files.refused, '{"n":');
  await note(3, 'refused');
  const log = await openSentLog(files);
  expect([1, 2, 3].map((line) => log.has(event(line).key))).toEqual([true, false, true]);
  await log.close();
  expect(await readFile(files.refused, 'utf8')).toBe('{"n":\n{"n":3}\n');
});

test('`openSentLog()` takes room for answers before they come, gives back what is left, and is not disturbed by blanks', async () => {
  const files = { sent: join(folder, 'sent.ndjson'), refused: join(folder, 'refused.ndjson') };
  const log = await openSentLog(files);
  await log.reserve(3);
  const { size } = await stat(files.sent);
  await log.note(event(1), { ...ANSWER, outcome: 'accepted' });
  await log.note(event(2), { ...ANSWER, outcome: 'accepted' });
  expect((await stat(files.sent)).size).toBe(size);
  expect(size).toBeGreaterThan(3 * 200);

  // As after a kill: the file still has its blanks.
  const next = await openSentLog(files);
  expect([1, 2, 3].map((line) => next.has(event(line).key))).toEqual([true, true, false]);
  await next.reserve(1);
  await next.note(event(3), { ...ANSWER, outcome: 'accepted' });
  await next.close();
  const lines = (await readFile(files.sent, 'utf8')).trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).line)).toEqual([1, 2, 3]);
  await log.close();
});
