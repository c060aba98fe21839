/** Concurrent writes to the bucket, and whether a guest can be erased from it. */

import { setTimeout as sleep } from 'node:timers/promises';
import { readRecord } from '../guests/erasures.ts';
import { requestErasure } from '../guests/request-erasure.ts';
import { search } from '../guests/search.ts';
import { requestsTo } from '../object-store/request.ts';
import { type Assumption, until, verdict } from './rehearsal.ts';
import { REHEARSED_EMAIL } from './traffic.ts';

const KEY = 'rehearsal/one-key';
const WRITES = 20;

/** Pause before a key is written again, so that R2's limit of one write a second does not refuse it. */
const MORE_THAN_A_SECOND_MS = 1_100;

export const oneWriteASecond: Assumption = {
  says: 'R2 answers 429 when a key is written more than once a second',
  // The local S3 endpoint accepts any number.
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

/** Time limit of an erasure, in milliseconds. */
const ERASED_MS = 30 * 60_000;

/** The guest of some of the events. */
const GUEST = {
  customerIds: [],
  reservationIds: [],
  integrationIds: [],
  propertyIds: [],
  emails: [REHEARSED_EMAIL],
  phones: [],
  names: [],
  birthDates: [],
};

export const erased: Assumption = {
  says: 'A guest is erased from events/ within half an hour, and from the table once its earlier snapshots are gone',
  async ask({ store, signal, pseudonymKey, runCrons }) {
    const find = () => search(store, { selection: GUEST, range: {}, checkpoint: undefined }, signal, console.error);
    const found = await find();
    const id = await requestErasure(store, GUEST, found, pseudonymKey);
    // The erasure waits until earlier runs of the publisher have finished.
    let steps = 1;
    const isOver = async () => {
      steps += 1;
      await runCrons(steps);
      return ['table', 'finished'].includes((await readRecord(store, id))?.stage ?? '');
    };
    const { isSo, after } = await until(isOver, ERASED_MS, signal);
    const left = (await find()).hits.length;
    const seen = `${left} of ${found.hits.length} lines are about the guest ${after}`;
    return verdict(isSo && found.hits.length > 0 && left === 0, seen);
  },
};
