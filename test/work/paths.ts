/** What a body goes through, each path without the stores behind it. */

import { textOfBody } from '../../src/cli/guests/body-text.ts';
import { divideBody, divideRow } from '../../src/cli/guests/divide.ts';
import { keptBodyOf, keptRowOf, readKeptLine } from '../../src/cli/guests/kept-line.ts';
import { loadErasures } from '../../src/guests/active-erasures.ts';
import { createKeyedDigest, keyCheckOf } from '../../src/guests/digest.ts';
import { eraseNamed, eraseRow } from '../../src/guests/erase-row.ts';
import { answerBatch, answerCheck } from '../../src/intake/answer.ts';
import { buildMembers } from '../../src/intake/batch/build-members.ts';
import { readTexts } from '../../src/intake/batch/read-texts.ts';
import { packLines } from '../../src/intake/batch/store-lines.ts';
import { buildEvent } from '../../src/intake/build-event.ts';
import { rejectionOf } from '../../src/intake/keep-refused.ts';
import { MAX_BODY_BYTES } from '../../src/intake/limits.ts';
import { problemOf } from '../../src/intake/problem.ts';
import { readBody } from '../../src/intake/read-body.ts';
import { parseRow } from '../../src/storage/line.ts';

const PSEUDONYM_KEY = 'a key for the tests and nothing else';
const WANTED = new Set(['email:guest@example.com']);
const SENDER = { name: 'default', tokenNumber: 1, tokenDigest: `sha256:${'0'.repeat(64)}` };
const SENT_WITH = { contentType: 'application/json', idempotencyKey: null };

function post(body: Uint8Array<ArrayBuffer>): Request {
  const headers = { 'Content-Type': 'application/json', ...(body[0] === 0x1f && { 'Content-Encoding': 'gzip' }) };
  return new Request('https://intake.example/', { method: 'POST', headers, body });
}

/** A bucket that has one request to erase a guest. */
async function bucketWithRequest(): Promise<Pick<R2Bucket, 'get' | 'list'>> {
  const digest = createKeyedDigest(PSEUDONYM_KEY);
  const request = JSON.stringify({
    erasure_id: '019e3b9d-9d90-7c3e-9a54-2b6f0c81d7e5',
    requested_at: '9999-01-01T00:00:00.000Z',
    received_through: '9999-01-01T00:00:00.000Z',
    log_through: 0,
    key_check: keyCheckOf(digest),
    digests: ['email:guest@example.com', 'phone:420602123456'].map(digest),
    parts: [],
  });
  const objects = [{ key: 'erasures/requests/019e3b9d-9d90-7c3e-9a54-2b6f0c81d7e5.json', uploaded: new Date(0) }];
  return {
    list: async () => ({ objects, truncated: false, delimitedPrefixes: [] }) as unknown as R2Objects,
    get: async () => ({ text: async () => request, uploaded: new Date(0) }) as unknown as R2ObjectBody,
  } as Pick<R2Bucket, 'get' | 'list'>;
}

/** What becomes of a body: the line of an event, or of a refused body. */
async function lineOf(body: Uint8Array<ArrayBuffer>): Promise<readonly ['landing' | 'rejected', string]> {
  const request = post(body);
  const received = await readBody(request, MAX_BODY_BYTES);
  const built = await buildEvent(received, request.headers, SENDER);
  if (built.ok) return ['landing', built.value.line];
  return ['rejected', (await rejectionOf(built.error, received, SENT_WITH, SENDER.name)).line];
}

/** Each path by its name. A room that reads what senders sent adds its own. */
export const PATHS = {
  async intake(body: Uint8Array<ArrayBuffer>): Promise<void> {
    const request = post(body);
    const received = await readBody(request, MAX_BODY_BYTES);
    const built = await buildEvent(received, request.headers, SENDER);
    if (built.ok) {
      answerCheck(built.value, 'id');
    } else {
      problemOf(built.error);
      await rejectionOf(built.error, received, SENT_WITH, SENDER.name);
    }
  },
  async batch(body: Uint8Array<ArrayBuffer>): Promise<void> {
    const texts = await readTexts(post(body));
    if (!texts.ok) return void problemOf(texts.error);
    const members = await buildMembers(texts.value, null, SENDER);
    const lines = await Promise.all(
      members.map(async ({ built, text }) => {
        if (built.ok) return built.value.line;
        const received = {
          encoding: '',
          bytes: new Uint8Array(new TextEncoder().encode(text)),
          ending: 'whole',
        } as const;
        return (await rejectionOf(built.error, received, SENT_WITH, SENDER.name)).line;
      }),
    );
    packLines(lines.map((line, at) => ({ at, line, partition: '' })));
    const results = members.map(({ built }) =>
      built.ok
        ? ({ kind: 'accepted', event: built.value, storedIn: 'queue' } as const)
        : ({ kind: 'refused', refusal: built.error } as const),
    );
    answerBatch(results, SENDER, 'id');
  },
  /** What publishing and erasing read of a row while a guest is to be erased. */
  async publishing(body: Uint8Array<ArrayBuffer>): Promise<void> {
    const [place, line] = await lineOf(body);
    const erasures = await loadErasures(await bucketWithRequest(), PSEUDONYM_KEY);
    if (place === 'rejected' || erasures === undefined) return;
    erasures.wanting(parseRow(line), 0);
    eraseNamed(line, erasures.digest);
    eraseRow(line, erasures.digest);
  },
  /** What `npm run guests -- find` and `--export` read of a row or a refused body. */
  async finding(body: Uint8Array<ArrayBuffer>): Promise<void> {
    const [place, line] = await lineOf(body);
    await readKeptLine(place, line);
    const row = keptRowOf(place, line);
    if (row !== undefined) return void divideRow(row, WANTED);
    const kept = keptBodyOf(place, line);
    if (kept !== undefined) divideBody((await textOfBody(kept)).text, WANTED);
  },
} satisfies Readonly<Record<string, (body: Uint8Array<ArrayBuffer>) => Promise<void>>>;

/** The name of a path. */
export type PathName = keyof typeof PATHS;
