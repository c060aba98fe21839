import { describe, expect, test } from 'vitest';
import type { Hit } from '../../../src/cli/guests/checkpoint.ts';
import { pseudonymKey, requestErasure } from '../../../src/cli/guests/request-erasure.ts';
import type { Found } from '../../../src/cli/guests/search.ts';
import { createKeyedDigest, keyCheckOf } from '../../../src/guests/digest.ts';
import { ERASURE_REQUESTS } from '../../../src/storage/keys.ts';
import { NOBODY } from '../../guests/selections.ts';

const KEY = 'a secret of the tests, long enough';
const PART = 'events/v1/dt=2026-03-01/hour=09/019ca8b4-1f80-7c2e-9d61-b9b0b5a2e001.ndjson.gz';
const EVENT_ID = '019ca8b4-1f80-7c2e-9d61-b9b0b5a2e002';
const OTHER_ID = '019ca8b4-1f80-7c2e-9d61-b9b0b5a2e003';

const SELECTION = { ...NOBODY, emails: ['Amelie.Novak@example.com'] };

const HIT: Hit = { place: 'events', key: PART, line: 0, event_id: EVENT_ID, by: ['email'], own: true };

const FOUND: Pick<Found, 'hits' | 'startedAt' | 'logThrough' | 'through'> = {
  startedAt: new Date('2026-03-02T00:00:00Z'),
  logThrough: 7,
  through: new Date('2026-03-02T00:00:00Z'),
  hits: [
    { ...HIT, line: 4 },
    { ...HIT, line: 9, event_id: OTHER_ID, own: false },
    // What is no part cannot be written again.
    { ...HIT, key: 'events/v1/dt=2026-03-01/hour=09/x' },
    { ...HIT, place: 'rejected', key: 'rejected/dt=2026-03-01/hour=09/1.ndjson', event_id: null },
    { ...HIT, place: 'landing', key: 'landing/dt=2026-03-01/hour=09/1.ndjson' },
  ],
};

/** A bucket in memory, of which the request needs three calls. */
function bucket() {
  const objects = new Map<string, string>();
  return {
    objects,
    async *list(prefix: string) {
      for (const key of objects.keys()) if (key.startsWith(prefix)) yield { key, bytes: 1, modified: new Date(0) };
    },
    async get(key: string) {
      const text = objects.get(key);
      return text === undefined ? undefined : new Uint8Array(Buffer.from(text));
    },
    async create(key: string, body: string | Uint8Array) {
      objects.set(key, String(body));
      return true;
    },
  };
}

describe('pseudonymKey()', () => {
  test('reads the secret without the end of its line', () => {
    expect(pseudonymKey(false, { PSEUDONYM_KEY: `${KEY}\n` })).toBe(KEY);
  });

  test.each([
    [{}, 'is not set'],
    [{ PSEUDONYM_KEY: ' ' }, 'is not set'],
    [{ PSEUDONYM_KEY: 'short' }, 'has fewer than 32 characters'],
    [{ PSEUDONYM_KEY: 'k'.repeat(31) }, 'has fewer than 32 characters'],
  ])('refuses %j and says what to do', (env, why) => {
    expect(() => pseudonymKey(false, env)).toThrow(why);
    expect(() => pseudonymKey(false, env)).toThrow('npm run secret -- set PSEUDONYM_KEY');
  });
});

describe('requestErasure()', () => {
  test('asks for what was found, by digests and without a value', async () => {
    const store = bucket();
    const id = await requestErasure(store, SELECTION, FOUND, KEY);
    const text = store.objects.get(`${ERASURE_REQUESTS}${id}.json`) ?? '';
    const digest = createKeyedDigest(KEY);
    expect(JSON.parse(text)).toMatchObject({
      erasure_id: id,
      received_through: '2026-03-02T00:00:00.000Z',
      log_through: 7,
      key_check: keyCheckOf(digest),
      digests: [digest('email:amelie.novak@example.com')],
      requested_at: '2026-03-02T00:00:00.000Z',
      parts: [{ key: PART, event_ids: [EVENT_ID], named_in: [OTHER_ID] }],
    });
    expect(text.toLowerCase()).not.toContain('novak');
  });

  test('refuses a key that differs from that of a request under way', async () => {
    const store = bucket();
    await requestErasure(store, SELECTION, FOUND, KEY);
    await requestErasure(store, SELECTION, FOUND, KEY);
    await expect(requestErasure(store, SELECTION, FOUND, `${KEY}!`)).rejects.toThrow('Set the one that the Worker has');
    expect(store.objects.size).toBe(2);
  });

  test.each([
    ['another key', `{"pseudonym_key_check":"${'0'.repeat(32)}"}`, 'differs from the one of the Worker'],
    ['no key', '{"pseudonym_key_check":null}', 'has no PSEUDONYM_KEY'],
    ['a record that is no JSON', '{', 'publish/last-run.json cannot be read'],
  ])('refuses when the last run had %s, since the next ones would publish nothing', async (_, lastRun, message) => {
    const store = bucket();
    store.objects.set('publish/last-run.json', lastRun);
    await expect(requestErasure(store, SELECTION, FOUND, KEY)).rejects.toThrow(message);
    expect(store.objects.size).toBe(1);
  });

  test('asks when the last run had the same key', async () => {
    const store = bucket();
    const check = keyCheckOf(createKeyedDigest(KEY));
    store.objects.set('publish/last-run.json', JSON.stringify({ pseudonym_key_check: check }));
    await requestErasure(store, SELECTION, FOUND, KEY);
    expect(store.objects.size).toBe(2);
  });
});
