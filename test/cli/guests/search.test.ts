import { gzipSync } from 'node:zlib';
import { v7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { search } from '../../../src/cli/guests/search.ts';
import { createKeyedDigest } from '../../../src/guests/digest.ts';
import { eraseNamed, eraseRow } from '../../../src/guests/erase-row.ts';
import { eventsKey, logKey, partitionOf } from '../../../src/storage/keys.ts';
import { toLine } from '../../../src/storage/line.ts';
import { NOBODY } from '../../guests/selections.ts';
import { FULL_EVENT } from '../../sample.ts';
import { sampleRow } from '../../sample-row.ts';

const HOUR = Date.parse('2026-07-10T09:00:00.000Z');
const NOW = new Date(HOUR + 3_600_000);
const PARTITION = partitionOf(new Date(HOUR));
const EMAIL = 'amelie.novak@example.com';
const PART = eventsKey(PARTITION, v7({ msecs: HOUR }));
const LANDED = `landing/${PARTITION}/${v7({ msecs: HOUR })}.ndjson`;

function lineOf(time: number, more: Readonly<Record<string, unknown>> = { Email: EMAIL }, id = v7({ msecs: time })) {
  return toLine(sampleRow({ ...FULL_EVENT, ...more }, id));
}

/** A bucket in memory. */
function storeOf(objects: Readonly<Record<string, string | Buffer>>, now = NOW) {
  return {
    now: async () => now,
    async *list(prefix: string, after = '') {
      for (const key of Object.keys(objects).sort()) {
        if (key.startsWith(prefix) && key > after) yield { key, bytes: 1, modified: new Date(HOUR) };
      }
    },
    async get(key: string) {
      const body = objects[key];
      if (body === undefined) return undefined;
      return new Uint8Array(Buffer.from(key.endsWith('.gz') && typeof body === 'string' ? gzipSync(body) : body));
    },
  };
}

async function find(objects: Readonly<Record<string, string | Buffer>>, now = NOW, store = storeOf(objects, now)) {
  const hotel = { integrationIds: [FULL_EVENT.IntegrationId], propertyIds: [FULL_EVENT.PropertyId] };
  const stay = { ...hotel, reservationIds: [FULL_EVENT.ReservationId] };
  const options = { selection: { ...NOBODY, emails: [EMAIL], ...stay }, range: {}, checkpoint: undefined };
  const found = await search(store, options, new AbortController().signal, () => {});
  return { ...found, hits: found.hits.map(({ key, line, own }) => ({ key, line, own })) };
}

describe('search()', () => {
  test('goes by the clock of the store, whatever that of this machine says', async () => {
    const [before, after] = [lineOf(NOW.getTime() - 1), lineOf(NOW.getTime())];
    const objects = { [LANDED]: before + after };
    expect(await find(objects)).toMatchObject({ startedAt: NOW, through: NOW, hits: [{ key: LANDED, line: 0 }] });
    expect((await find(objects, new Date(NOW.getTime() + 1))).hits).toHaveLength(2);
  });

  test('has an event that still lies in landing in its part, which can be written again', async () => {
    const [line, other] = [lineOf(HOUR), lineOf(HOUR + 1)];
    const { hits } = await find({ [PART]: line, [LANDED]: line + other });
    expect(hits).toEqual([
      { key: LANDED, line: 1, own: true },
      { key: PART, line: 0, own: true },
    ]);
  });

  test('looks again for what is published between the listing and the reading', async () => {
    const line = lineOf(HOUR);
    const objects: Record<string, string> = { [LANDED]: line };
    const store = storeOf(objects);
    const publishing = {
      ...store,
      get(key: string) {
        if (key === LANDED) {
          objects[PART] = line;
          delete objects[LANDED];
        }
        return store.get(key);
      },
    };
    const { hits, moved } = await find(objects, NOW, publishing);
    expect({ hits, moved }).toEqual({ hits: [{ key: PART, line: 0, own: true }], moved: 0 });
  });

  test('says when what is listed is moved again and again before it can be read', async () => {
    const objects: Record<string, string> = { [LANDED]: lineOf(HOUR), [PART]: '' };
    const store = storeOf(objects);
    let times = 5;
    const moving = {
      ...store,
      get(key: string) {
        if (key.startsWith('landing/') && times > 0) {
          times -= 1;
          delete objects[key];
          objects[`landing/${PARTITION}/${v7({ msecs: HOUR })}.ndjson`] = lineOf(HOUR);
        }
        return store.get(key);
      },
    };
    expect(await find(objects, NOW, moving)).toMatchObject({ hits: [], moved: 1 });
    times = 4;
    expect(await find(objects, NOW, moving)).toMatchObject({ hits: [{ line: 0 }], moved: 0 });
  });

  test('tells the stay of the guest from that of another who names the guest', async () => {
    const named = lineOf(HOUR, { StaffComment: `bill to ${EMAIL}`, ReservationId: 'another' });
    expect((await find({ [PART]: lineOf(HOUR) + named })).hits.map(({ own }) => own)).toEqual([true, false]);
  });

  test('passes over a row whose guest was erased, and none in which another was', async () => {
    const digest = createKeyedDigest('a key for the tests and nothing else');
    const line = lineOf(HOUR, { Email: EMAIL, StaffComment: 'bill to jan@example.com' });
    const text = `${eraseRow(line, digest)}${eraseNamed(line, digest)}`;
    expect((await find({ [PART]: text })).hits).toEqual([{ key: PART, line: 1, own: true }]);
  });

  test('names what cannot be read to its end, and finds what stands beside it', async () => {
    const whole = eventsKey(PARTITION, v7({ msecs: HOUR + 1 }));
    const packed = gzipSync(lineOf(HOUR));
    const foreign = `events/v1/${PARTITION}/notes.ndjson.gz`;
    const { hits, damaged, cut } = await find({
      [PART]: packed.subarray(0, -8),
      [foreign]: Buffer.from('no gzip'),
      [whole]: lineOf(HOUR),
      [`rejected/${PARTITION}/a`]: '{"rejection_id":"x","body":"!!!","body_encoding":"base64"}\n',
      [LANDED]: lineOf(HOUR, { StaffComment: Array.from({ length: 2_000 }, (_, at) => `a${at}@b.cz`).join(' ') }),
    });
    expect(damaged.toSorted()).toEqual([PART, foreign].toSorted());
    expect(cut).toEqual([LANDED]);
    expect(hits.map(({ key }) => key)).toEqual(expect.arrayContaining([whole]));
  });

  test('takes what is no entry of the log for none', async () => {
    const objects = { [logKey(7)]: '{}', 'events/v1/_log/x.json': '{}', 'events/v1/_log/zz': '{}' };
    expect((await find(objects)).logThrough).toBe(7);
  });
});
