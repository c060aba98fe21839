import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { findRow } from '../../../src/cli/smoke/find-row.ts';

const EVENT_ID = '01a21f27-52bd-76cf-862e-25f34c257c38';
const RECEIVED = new Date('2026-11-27T22:36:40.509Z');
const HOUR = 'dt=2026-11-27/hour=22';
const OTHER = '{"event_id":"01a21f27-0000-76cf-862e-25f34c257c38"}\n';
const ROW = `{"event_id":"${EVENT_ID}","integration_id":"smoke-test"}\n`;

/** A bucket that looks different each time it is listed; `undefined` is an object that is gone when it is read. */
function storeOf(...states: Readonly<Record<string, Uint8Array<ArrayBuffer> | undefined>>[]) {
  const read: string[] = [];
  let listings = 0;
  return {
    read,
    async *list(prefix: string, after = '') {
      // Both places are listed each time round.
      const state = states[Math.min(Math.floor(listings++ / 2), states.length - 1)] ?? {};
      for (const key of Object.keys(state)) {
        if (key.startsWith(prefix) && key > after) yield { key, bytes: 1, modified: RECEIVED };
      }
    },
    async get(key: string) {
      read.push(key);
      return states[Math.min(Math.floor((listings - 1) / 2), states.length - 1)]?.[key];
    },
  };
}

const bytes = (text: string) => new TextEncoder().encode(text);
const LANDED = `landing/${HOUR}/01a21f27-9f5d-7f0b-8a60-2ff1a2b4f6f1.ndjson`;
const PUBLISHED = `events/v1/${HOUR}/01a21f2a-9f5d-7f0b-8a60-2ff1a2b4f6f1.ndjson.gz`;
const NEVER = new AbortController().signal;

describe('findRow()', () => {
  test('finds a row among others in landing/', async () => {
    const store = storeOf({}, { [LANDED]: bytes(OTHER + ROW) });
    expect(await findRow(store, EVENT_ID, RECEIVED, NEVER)).toEqual({ key: LANDED, row: JSON.parse(ROW) });
  });

  test('finds a row that was published between listing and reading', async () => {
    const store = storeOf({ [LANDED]: undefined }, { [PUBLISHED]: new Uint8Array(gzipSync(OTHER + ROW)) });
    expect(await findRow(store, EVENT_ID, RECEIVED, NEVER)).toMatchObject({ key: PUBLISHED });
  });

  test('reads no older object, and none twice', async () => {
    const older = `landing/${HOUR}/01a21f20-9f5d-7f0b-8a60-2ff1a2b4f6f1.ndjson`;
    const other = LANDED.replace('9f5d', '9f5e');
    const seen = { [older]: bytes(OTHER), [other]: bytes(OTHER) };
    const store = storeOf(seen, seen, { ...seen, [LANDED]: bytes(ROW) });
    expect(await findRow(store, EVENT_ID, RECEIVED, NEVER)).toMatchObject({ key: LANDED });
    expect(store.read).toEqual([other, LANDED]);
  });

  test('stops when it is interrupted', async () => {
    const interruption = AbortSignal.abort(new Error('Interrupted'));
    await expect(findRow(storeOf({}), EVENT_ID, RECEIVED, interruption)).rejects.toThrow();
  });
});
