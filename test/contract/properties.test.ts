/** What holds for every event, whatever is in it. */

import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { FIELDS } from '../../src/contract/fields.ts';
import { fingerprint } from '../../src/contract/fingerprint.ts';
import { COLUMNS, RowSchema } from '../../src/contract/row.ts';
import { isLine, toLine } from '../../src/storage/line.ts';
import { FULL_EVENT, SMALL_EVENT } from '../sample.ts';
import { normalisedText, rowOfNormalised } from '../sample-row.ts';

/** How many events are tried of each kind; `npm run prove:faults` tries more. */
const RUNS = __THOROUGH__ ? 20_000 : 500;

/** Any sequence of UTF-16 code units, with those that trouble readers drawn often. */
const text = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 4 }),
      fc.constantFrom(
        '\0',
        '\n',
        '\r',
        '\u0085',
        '\u2028',
        '\u2029',
        '\ufeff',
        '\ud83d',
        '\ude00',
        '\\u0000',
        '\\',
        '"',
        '🏨',
      ),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''));

const anything = fc.oneof(text, fc.jsonValue(), fc.double(), fc.integer());

/** An event with valid required fields and anything at all elsewhere. */
const event = fc
  .record(
    {
      ...Object.fromEntries(FIELDS.filter(({ required }) => !required).map(({ wire }) => [wire, anything])),
      Unknown: anything,
      AsssignedResourceNumber: anything,
    },
    { requiredKeys: [] },
  )
  .map((optional): Record<string, unknown> => ({ ...optional, ...SMALL_EVENT }));

/** The row of an event that has gone over the wire as JSON. */
function rowOf(sent: Record<string, unknown>) {
  const normalised = normalisedText(JSON.stringify(sent));
  return { row: rowOfNormalised(normalised, '01a21ef9-f32d-7279-bda2-96945fb413af'), normalised };
}

/** The two replacements that a text undergoes. */
const replaced = (value: string) => value.toWellFormed().replaceAll('\0', '\ufffd');

describe('every line', () => {
  test('is one line for every reader, and parses to exactly the columns', () => {
    fc.assert(
      fc.property(event, (sent) => {
        const line = toLine(rowOf(sent).row);
        expect(isLine(line)).toBe(true);
        // What Python's splitlines takes for the end of a line, save the controls that JSON always escapes.
        expect(line.split(/[\n\r\u0085\u2028\u2029]/)).toHaveLength(2);
        expect(line.isWellFormed()).toBe(true);
        expect(line).not.toMatch(/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/);
        const row = JSON.parse(line);
        expect(Object.keys(row)).toEqual(COLUMNS);
        expect(v.is(RowSchema, row)).toBe(true);
      }),
      { numRuns: RUNS },
    );
  });

  test('holds any text as it was sent, save the two replacements', () => {
    fc.assert(
      fc.property(text, (comment) => {
        const { staff_comment } = JSON.parse(toLine(rowOf({ ...SMALL_EVENT, StaffComment: comment }).row));
        expect(staff_comment).toBe(comment.trim() === '' ? null : replaced(comment));
      }),
      { numRuns: RUNS },
    );
  });

  test('holds any unknown value as it was sent, save the two replacements', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (unknown) => {
        const { extra } = JSON.parse(toLine(rowOf({ ...SMALL_EVENT, Unknown: unknown }).row));
        const asSent = JSON.parse(JSON.stringify(unknown), (_, value) =>
          typeof value === 'string' ? replaced(value) : value,
        );
        expect(JSON.parse(extra).Unknown).toEqual(asSent);
      }),
    );
  });
});

test('normalising twice changes nothing', () => {
  fc.assert(
    fc.property(event, (sent) => {
      const { reservation, occurredAt, warnings } = rowOf(sent).normalised;
      const stored = { ...reservation, occurred_at: occurredAt };
      const again = Object.fromEntries(FIELDS.map(({ wire, column }) => [wire, stored[column]]));
      const second = rowOf(again).normalised;
      expect(second).toMatchObject({ reservation, occurredAt });
      // What is still worth a warning is a text that is stored as sent, or how the columns stand to one another.
      const lasting = warnings.filter((warning) =>
        /not_a_language_tag|not_a_country_code|looks_empty|unfilled_template|before_start|disagrees/.test(warning),
      );
      expect(second).toMatchObject({ warnings: lasting, extra: null });
    }),
    { numRuns: RUNS },
  );
});

/** The same value with the members of every object in another order. */
function shuffled(value: unknown, order: { next(): { value: number } }): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((member) => shuffled(member, order));
  const members = Object.entries(value).map(([name, member]) => [name, shuffled(member, order)] as const);
  return Object.fromEntries(
    members
      .map((entry) => [order.next().value, entry] as const)
      .sort(([a], [b]) => a - b)
      .map(([, entry]) => entry),
  );
}

describe('fingerprint()', () => {
  /** The fingerprint of an event that has gone over the wire as text. */
  function printOf(text: string): Promise<string> {
    const { reservation, extra } = normalisedText(text);
    return fingerprint(reservation, extra);
  }
  const printOfEvent = (sent: object) => printOf(JSON.stringify(sent));

  test('ignores the order of keys, at any depth, and the spacing', async () => {
    await fc.assert(
      fc.asyncProperty(
        event,
        fc.infiniteStream(fc.nat()),
        fc.integer({ min: 0, max: 8 }),
        async (sent, order, indent) => {
          const received = JSON.parse(JSON.stringify(sent));
          expect(await printOf(JSON.stringify(shuffled(received, order), null, indent))).toBe(await printOfEvent(sent));
        },
      ),
    );
  });

  test('is 128 bits in hex, and tells events apart by every reservation column and by extra', async () => {
    const { reservation } = rowOf(FULL_EVENT).normalised;
    const columns = Object.keys(reservation);
    const prints = await Promise.all([
      fingerprint(reservation, null),
      ...columns.map((column) => fingerprint({ ...reservation, [column]: 'other' }, null)),
      ...['{"Price":1}', '{"Price":2}', '{"price":1}'].map((extra) => fingerprint(reservation, extra)),
    ]);
    expect(new Set(prints).size).toBe(columns.length + 4);
    for (const print of prints) expect(print).toMatch(/^[\da-f]{32}$/);
  });

  test('does not change from release to release', async () => {
    expect(await printOfEvent({ ...FULL_EVENT, Price: { b: [1, 'x'], a: null } })).toBe(
      '1e16465eda6a6f190beaa548c2b9afba',
    );
  });

  test('does not depend on when it happened, on a spelling that is stored alike, or on warnings', async () => {
    const spellings = [
      { UpdatedUtc: '2026-07-01T10:00:00Z' },
      { UpdatedUtc: '2026-07-02T10:00:00Z' },
      { StartUtc: '2026-07-10T16:00:00+02:00' },
      { StartUtc: '2026-07-10 14:00:00', AdultCounts: '2' },
    ].map((changes) => printOfEvent({ ...FULL_EVENT, ...changes }));
    expect(new Set(await Promise.all([...spellings, printOfEvent(FULL_EVENT)])).size).toBe(1);
  });
});
