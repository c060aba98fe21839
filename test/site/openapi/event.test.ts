import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FIELDS, type Field } from '../../../src/contract/fields.ts';
import { normalise } from '../../../src/contract/normalise.ts';
import { openApiDocument } from '../../../src/site/openapi/document.ts';
import { readDocument } from './documented.ts';

const { breaches } = readDocument(JSON.stringify(openApiDocument('1.2.3')));

/** Values of every sort, most of them such as the field may carry. */
function anyValueOf({ kind, allowed }: Field): fc.Arbitrary<unknown> {
  const fitting = {
    text: fc.string(),
    nationality: fc.string(),
    language: fc.string(),
    // The document cannot say that years start at 1900, and its format knows leap seconds.
    timestamp: fc
      .date({ min: new Date(0), noInvalidDate: true, max: new Date('2200-01-01') })
      .map((time) => time.toISOString()),
    date: fc
      .date({ min: new Date(0), noInvalidDate: true, max: new Date('2200-01-01') })
      .map((time) => time.toISOString().slice(0, 10)),
    count: fc.integer({ min: -1, max: 10_000 }),
    choice: fc.constantFrom(...(allowed ?? [''])),
  };
  return fc.oneof(
    { weight: 40, arbitrary: fitting[kind] },
    { weight: 1, arbitrary: fc.constantFrom(undefined, null, '', '  ', 0, 1.5, true, [], {}, 'Booked', '2026-02-30') },
  );
}

const events = fc.record(Object.fromEntries(FIELDS.map((field) => [field.wire, anyValueOf(field)])));

test('what the document allows, the service accepts, and without a fault in an optional field', () => {
  let allowed = 0;
  fc.assert(
    fc.property(events, (event) => {
      const sent = JSON.parse(JSON.stringify(event));
      if (breaches('ReservationEvent', sent).length > 0) return;
      allowed += 1;
      const normalised = normalise(sent);
      expect(normalised.ok).toBe(true);
      if (!normalised.ok) return;
      for (const warning of normalised.value.warnings) {
        expect(warning).toMatch(
          /:(?:not_a_language_tag|not_a_country_code|looks_empty|unfilled_template|replaced_characters|before_start|disagrees_with_event_type)$/,
        );
      }
    }),
    { numRuns: 2_000 },
  );
  expect(allowed).toBeGreaterThan(200);
});
