import { v7 } from 'uuid';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { COLUMNS, factsOf, RowSchema } from '../../src/contract/row.ts';
import { createKeyedDigest } from '../../src/guests/digest.ts';
import { eraseNamed, eraseRow } from '../../src/guests/erase-row.ts';
import { toLine } from '../../src/storage/line.ts';
import { FULL_EVENT } from '../sample.ts';
import { sampleRow } from '../sample-row.ts';

const digest = createKeyedDigest('a key for the tests and nothing else');
const EVENT_ID = v7({ msecs: Date.parse('2026-07-10T09:00:00.000Z') });

function lineOf(event: Readonly<Record<string, unknown>> = {}, fingerprint?: string): string {
  return toLine({ ...sampleRow({ ...FULL_EVENT, ...event }, EVENT_ID, fingerprint), idempotency_key: 'John Doe 1' });
}

describe('eraseRow()', () => {
  test('empties every column about a guest, and only those', () => {
    const before = v.parse(RowSchema, JSON.parse(lineOf({ PromoCode: 'SPRING' })));
    const after = v.parse(RowSchema, JSON.parse(eraseRow(lineOf({ PromoCode: 'SPRING' }), digest)));
    for (const column of COLUMNS) {
      if (factsOf(column).personal) expect([column, after[column]]).toEqual([column, null]);
      else if (!['warnings', 'event_fingerprint', 'idempotency_key'].includes(column)) {
        expect([column, after[column]]).toEqual([column, before[column]]);
      }
    }
    expect(after.warnings).toEqual([...before.warnings, 'erased']);
  });

  test('leaves all other bytes as they are', () => {
    const line = lineOf({ RateId: 'a\u2028b\u0085 "c\\" \u{1f3e8}', FirstName: 'Ærø' });
    const row = JSON.parse(line);
    let expected = line
      .replace(
        /"event_fingerprint":"[^"]+"/,
        `"event_fingerprint":"${digest(`event_fingerprint:${row.event_fingerprint}`)}"`,
      )
      .replace(/"idempotency_key":"[^"]+"/, `"idempotency_key":"${digest('idempotency_key:John Doe 1')}"`)
      .replace('"warnings":[]', '"warnings":["erased"]');
    for (const column of COLUMNS.filter((name) => factsOf(name).personal && row[name] !== null)) {
      expected = expected.replace(`"${column}":${JSON.stringify(row[column])}`, `"${column}":null`);
    }
    expect(eraseRow(line, digest)).toBe(expected);
  });

  test('is the same when it is done twice', () => {
    const once = eraseRow(lineOf(), digest);
    expect(eraseRow(once, digest)).toBe(once);
  });

  test('keeps equal contents equal and others apart, by values that nobody can make without the key', async () => {
    const [a, b] = ['a'.repeat(32), 'b'.repeat(32)];
    const fingerprintOf = (line: string) => JSON.parse(line).event_fingerprint;
    expect(fingerprintOf(eraseRow(lineOf({ RateId: 'x' }, a), digest))).toBe(
      fingerprintOf(eraseRow(lineOf({}, a), digest)),
    );
    expect(fingerprintOf(eraseRow(lineOf({}, a), digest))).not.toBe(fingerprintOf(eraseRow(lineOf({}, b), digest)));
    const other = createKeyedDigest('another key for the tests, and nothing');
    expect(fingerprintOf(eraseRow(lineOf({}, a), other))).not.toBe(fingerprintOf(eraseRow(lineOf({}, a), digest)));
  });

  test('adds no column to a line of an earlier version', () => {
    const earlier = lineOf().replace(/"occurred_at":[^,]+,/, '');
    const erased = JSON.parse(eraseRow(earlier, digest));
    expect(Object.keys(erased)).toEqual(Object.keys(JSON.parse(earlier)));
    expect(erased).toMatchObject({ first_name: null, warnings: ['erased'] });
  });
});

describe('eraseNamed()', () => {
  const named = { StaffComment: 'bill to john@example.com', Companions: [{ Email: 'john@example.com' }] };

  test('empties the comment and extra, with a warning for each, and leaves the guest of the stay', () => {
    const before = JSON.parse(lineOf(named));
    const after = JSON.parse(eraseNamed(lineOf(named), digest));
    expect(after).toEqual({
      ...before,
      staff_comment: null,
      extra: null,
      event_fingerprint: digest(`event_fingerprint:${before.event_fingerprint}`),
      idempotency_key: digest('idempotency_key:John Doe 1'),
      warnings: ['staff_comment:erased', 'extra:erased'],
    });
  });

  test('leaves a row in which nothing can be named as it is, and is the same when it is done twice', () => {
    const once = eraseNamed(lineOf(named), digest);
    expect(eraseNamed(once, digest)).toBe(once);
    const plain = lineOf({ StaffComment: null });
    expect(eraseNamed(plain, digest)).toBe(plain);
  });

  test('gives the same fingerprint when the guest of the stay is erased afterwards', () => {
    const both = JSON.parse(eraseRow(eraseNamed(lineOf(named), digest), digest));
    const { event_fingerprint, idempotency_key, first_name } = JSON.parse(eraseRow(lineOf(named), digest));
    expect(both).toMatchObject({ event_fingerprint, idempotency_key, first_name });
    expect(both.warnings).toEqual(['staff_comment:erased', 'extra:erased', 'erased']);
  });
});
