/** What a body goes through, each path without the stores behind it. */

import { answerBatch, answerCheck } from '../../src/intake/answer.ts';
import { buildMembers } from '../../src/intake/batch/build-members.ts';
import { readTexts } from '../../src/intake/batch/read-texts.ts';
import { packLines } from '../../src/intake/batch/store-lines.ts';
import { buildEvent } from '../../src/intake/build-event.ts';
import { rejectionOf } from '../../src/intake/keep-refused.ts';
import { MAX_BODY_BYTES } from '../../src/intake/limits.ts';
import { problemOf } from '../../src/intake/problem.ts';
import { readBody } from '../../src/intake/read-body.ts';

const SENDER = { name: 'default', tokenNumber: 1, tokenDigest: `sha256:${'0'.repeat(64)}` };
const SENT_WITH = { contentType: 'application/json', idempotencyKey: null };

function post(body: Uint8Array<ArrayBuffer>): Request {
  const headers = { 'Content-Type': 'application/json', ...(body[0] === 0x1f && { 'Content-Encoding': 'gzip' }) };
  return new Request('https://intake.example/', { method: 'POST', headers, body });
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
} satisfies Readonly<Record<string, (body: Uint8Array<ArrayBuffer>) => Promise<void>>>;

/** The name of a path. */
export type PathName = keyof typeof PATHS;
