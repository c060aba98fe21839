import { describe, expect, test } from 'vitest';
import { followErasure, listErasures, rowsErased, showErasure } from '../../../src/cli/guests/erasures.ts';
import type { ErasureRecord } from '../../../src/storage/erasure.ts';
import { erasureRecordKey, erasureRequestKey } from '../../../src/storage/keys.ts';

const ID = '019ca8b4-1f80-7c2e-9d61-b9b0b5a2e001';

const RECORD: ErasureRecord = {
  erasure_id: ID,
  requested_at: '2026-03-02T00:00:00.000Z',
  received_through: '2026-03-02T00:00:00.000Z',
  stage: 'parts',
  done: 0,
  updated_at: '2026-03-02T00:00:00.000Z',
  finished_at: null,
  parts: [],
  caught: [],
  missing: [],
};

/** A bucket whose record is another one each time that it is read; the last one stays. */
function bucketOf(records: readonly (Partial<ErasureRecord> | undefined)[]) {
  let reads = 0;
  return {
    async get(key: string) {
      expect(key).toBe(erasureRecordKey(ID));
      const record = records[Math.min(reads, records.length - 1)];
      reads += 1;
      if (record === undefined) return undefined;
      return new Uint8Array(Buffer.from(JSON.stringify({ ...RECORD, ...record })));
    },
  };
}

describe('followErasure()', () => {
  test('tells each change once, and returns when it is finished', async () => {
    const said: string[] = [];
    let rings = 0;
    const finished = { stage: 'finished', finished_at: '2026-03-02T00:30:00.000Z' } as const;
    const store = bucketOf([undefined, undefined, { done: 3 }, { done: 3 }, { stage: 'table' }, finished]);
    const record = await followErasure(store, ID, {
      signal: new AbortController().signal,
      say: (text) => said.push(text),
      runCrons: async () => {
        rings += 1;
      },
      askEveryMs: 0,
    });
    expect(record.finished_at).toBe(finished.finished_at);
    expect(rings).toBe(6);
    expect(said).toEqual([
      'Waiting for the next run of the publisher',
      'Rewriting the parts of events/ that were found: 3 done',
      'Waiting until no object of the table shows a row as it was',
      'Finished',
    ]);
  });

  test('ends when it is interrupted', async () => {
    const controller = new AbortController();
    const following = followErasure(bucketOf([{}]), ID, {
      signal: controller.signal,
      say: () => controller.abort(new Error('Interrupted')),
    });
    await expect(following).rejects.toThrow(/abort/i);
  });
});

test('`rowsErased()` counts what was published and what was caught before', () => {
  const part = { key: 'events/v1/a.ndjson.gz', replaces: 'events/v1/b.ndjson.gz', rows: 2 };
  expect(rowsErased({ parts: [part, { ...part, rows: 3 }], caught: [{ key: part.key, rows: 4 }] })).toBe(9);
  expect(rowsErased()).toBe(0);
});

describe('listErasures() and showErasure()', () => {
  const WAITING = '019ca8b4-1f80-7c2e-9d61-b9b0b5a2e002';
  const rows = [{ key: `events/v1/dt=2026-03-01/hour=09/${ID}.ndjson.gz`, rows: 3 }];
  const objects: Readonly<Record<string, object>> = {
    [erasureRequestKey(WAITING)]: {},
    [erasureRequestKey(ID)]: {},
    [erasureRecordKey(ID)]: { ...RECORD, stage: 'table', caught: rows },
  };
  const store = {
    async *list(prefix: string) {
      for (const key of Object.keys(objects)) if (key.startsWith(prefix)) yield { key, bytes: 1, modified: new Date() };
    },
    async get(key: string) {
      return objects[key] && new Uint8Array(Buffer.from(JSON.stringify(objects[key])));
    },
  };

  test('list each erasure once, also one that no run has taken up', async () => {
    expect(await listErasures(store)).toEqual([
      { id: ID, asked: expect.any(String), stage: 'table', finished: '', rows: 3 },
      { id: WAITING, asked: expect.any(String), stage: 'waits for the publisher', finished: '', rows: 0 },
    ]);
  });

  test('show a record, and say of any other id what to do', async () => {
    expect(JSON.parse(await showErasure(store, ID))).toMatchObject({ erasure_id: ID, stage: 'table', caught: rows });
    await expect(showErasure(store, WAITING)).rejects.toThrow('ask again in a few minutes');
    await expect(showErasure(store, `${ID.slice(0, -1)}9`)).rejects.toThrow('guests -- list prints their ids');
  });
});
