/** What the bucket does with writes that meet, and whether what it holds can be proved. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { ErasureRecord } from '../../storage/erasure.ts';
import { ERASURE_RECORDS } from '../../storage/keys.ts';
import { childEnvironment } from '../child-environment.ts';
import { requestsTo } from '../object-store/request.ts';
import type { ObjectStore } from '../object-store.ts';
import { type Assumption, duration, type Rehearsal, until, verdict } from './rehearsal.ts';
import { runTool } from './run-tool.ts';
import { REHEARSED_EMAIL } from './traffic.ts';

const KEY = 'rehearsal/one-key';
const WRITES = 20;

/** Until a key may be written again, so that it is not the limit that refuses. */
const MORE_THAN_A_SECOND_MS = 1_100;

export const oneWriteASecond: Assumption = {
  says: 'R2 answers 429 when a key is written more than once a second',
  // The S3 endpoint of this machine takes any number.
  needsAccount: true,
  async ask({ location, signal, store }) {
    const send = requestsTo(location, signal);
    const write = (body: string) =>
      send({ purpose: `write ${KEY}`, method: 'PUT', path: `/${KEY}`, body, expected: [200, 429] });
    const answers = await Promise.all(Array.from({ length: WRITES }, (_, at) => write(`${at}`)));
    await store.delete(KEY);
    const refused = answers.filter(({ status }) => status === 429).length;
    return verdict(refused > 0, `${refused} of ${WRITES} writes at the same time were refused`);
  },
};

export const compareAndSwap: Assumption = {
  says: 'An object is replaced only by who has read its last state (If-Match)',
  async ask({ store, signal }) {
    await store.create(`${KEY}-2`, 'first');
    const read = await store.getTagged(`${KEY}-2`);
    await sleep(MORE_THAN_A_SECOND_MS, undefined, { signal });
    const swapped = await store.create(`${KEY}-2`, 'second', read?.etag);
    await sleep(MORE_THAN_A_SECOND_MS, undefined, { signal });
    const again = await store.create(`${KEY}-2`, 'third', read?.etag);
    await store.delete(`${KEY}-2`);
    return verdict(swapped && !again, `the first ${said(swapped)}, the second with the same ETag ${said(again)}`);
  },
};

function said(wasWritten: boolean): string {
  return wasWritten ? 'was written' : 'was refused';
}

export const proved: Assumption = {
  says: 'The log of parts proves what events/ holds',
  async ask(rehearsal) {
    const { code, stdout, stderr } = await runTool('events.ts', ['verify'], toolEnvironment(rehearsal));
    return verdict(code === 0, lastLineOf(`${stderr}${stdout}`));
  },
};

/** How long an erasure may take, in milliseconds. */
const ERASED_MS = 30 * 60_000;

export const erased: Assumption = {
  says: 'A guest is erased from events/ within half an hour; from the table when the snapshots of before are gone',
  async ask(rehearsal) {
    const started = Date.now();
    const variables = { ...toolEnvironment(rehearsal), PSEUDONYM_KEY: rehearsal.pseudonymKey };
    const following = new AbortController();
    const command = ['erase', '--email', REHEARSED_EMAIL, '--yes'];
    const asking = runTool('guests.ts', command, variables, following.signal);
    let hasEnded = false;
    asking.finally(() => {
      hasEnded = true;
    });
    const isGone = async () => DONE_STAGES.includes(await stageOf(rehearsal.store));
    await until(async () => hasEnded || (await isGone()), ERASED_MS, rehearsal.signal, 500);
    const isSo = await isGone();
    // It would go on to wait for the snapshots.
    following.abort();
    const { stdout, stderr } = await asking;
    return verdict(isSo, isSo ? `after ${duration(Date.now() - started)}` : lastLineOf(stderr || stdout));
  },
};

/** The stages of an erasure in which events/ is done with. */
const DONE_STAGES: readonly string[] = ['table', 'finished'];

async function stageOf(store: ObjectStore): Promise<string> {
  for await (const { key } of store.list(ERASURE_RECORDS)) {
    const body = await store.get(key);
    if (body !== undefined) return (JSON.parse(body.toString()) as ErasureRecord).stage;
  }
  return 'none';
}

function toolEnvironment({ location }: Rehearsal): NodeJS.ProcessEnv {
  const { url, accessKeyId, secretAccessKey } = location;
  return {
    ...childEnvironment(),
    R2_URL: url,
    R2_ACCESS_KEY_ID: accessKeyId,
    R2_SECRET_ACCESS_KEY: secretAccessKey,
  };
}

function lastLineOf(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
