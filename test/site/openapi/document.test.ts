import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { FIELDS } from '../../../src/contract/fields.ts';
import { MEANINGS } from '../../../src/contract/meanings.ts';
import { normalise } from '../../../src/contract/normalise.ts';
import { PROBLEM_TYPES } from '../../../src/http/problem-types.ts';
import { answerBatch } from '../../../src/intake/answer.ts';
import { problemOf } from '../../../src/intake/problem.ts';
import { openApiDocument } from '../../../src/site/openapi/document.ts';
import { exampleProblem } from '../../../src/site/openapi/responses.ts';
import { EXAMPLES } from '../../../src/site/words/examples.ts';
import { EXPLANATIONS } from '../../../src/site/words/problems.ts';
import { timeOf, timestampOf } from '../../../src/storage/event-id.ts';
import { toLine } from '../../../src/storage/line.ts';
import { sampleRow } from '../../sample-row.ts';
import { readDocument } from './documented.ts';

const text = JSON.stringify(openApiDocument('1.2.3'));
const { breaches } = readDocument(text);

test('`openApiDocument()` passes the recommended rules of Redocly', async () => {
  // No licence is granted by the document.
  const config = await createConfig({ extends: ['recommended'], rules: { 'info-license': 'off' } });
  expect(await lintFromString({ source: text, config })).toEqual([]);
});

test.each(EXAMPLES)('the example of $eventType is valid, and stored as it is', ({ event }) => {
  expect(breaches('ReservationEvent', event)).toEqual([]);
  expect(normalise(event)).toMatchObject({ ok: true, value: { warnings: [], extra: null } });
});

test.each(FIELDS)('$wire is required, and limited to its values, where the contract says so', (field) => {
  const [example] = EXAMPLES.map(({ event }) => event);
  const without = { ...example, [field.wire]: null };
  expect(breaches('ReservationEvent', without).length === 0).toBe(!field.required);
  expect(normalise(without).ok).toBe(!field.required);
  const odd = { ...example, [field.wire]: [] };
  expect(breaches('ReservationEvent', odd)).not.toEqual([]);
});

test('the example of an event_id is of the moment at which it was received', () => {
  expect(timeOf(MEANINGS.event_id.example).toISOString()).toBe(MEANINGS.received_at.example);
});

test('a row of the service is a row of the document', () => {
  const row = sampleRow(EXAMPLES[2]?.event ?? {}, '019e3b9d-9d90-7c3e-9a54-2b6f0c81d7e4');
  expect(breaches('Row', row)).toEqual([]);
  for (const column of Object.keys(row)) {
    expect(breaches('Row', { ...row, [column]: undefined })).not.toEqual([]);
    expect(breaches('Row', { ...row, [column]: {} })).not.toEqual([]);
  }
});

test.each(Object.keys(PROBLEM_TYPES) as (keyof typeof PROBLEM_TYPES)[])('the example of %s is of its type', (slug) => {
  expect(problemOf(EXPLANATIONS[slug].sample)).toMatchObject({ slug });
  expect(breaches('Problem', exampleProblem(slug))).toEqual([]);
});

test('the answer to a batch is described, whatever became of its events', async () => {
  const eventId = MEANINGS.event_id.example;
  const [example] = EXAMPLES;
  const line = toLine(sampleRow(example?.event ?? {}, eventId));
  const event = { eventId, receivedAt: timestampOf(eventId), eventType: 'ReservationEnquired', warnings: [], line };
  const response = answerBatch(
    [
      { kind: 'accepted', event, storedIn: 'queue' },
      { kind: 'checked', event },
      { kind: 'refused', refusal: EXPLANATIONS['invalid-event'].sample, storedIn: 'queue' },
      { kind: 'refused', refusal: EXPLANATIONS.unavailable.sample },
    ],
    { name: 'default', tokenNumber: 1, tokenDigest: '' },
    crypto.randomUUID(),
  );
  const answer: { response: { results: object[] } } = JSON.parse(await response.text());
  expect(breaches('BatchAnswer', answer)).toEqual([]);
  const wrong = { ...answer, response: { ...answer.response, results: [{ status: 202 }] } };
  expect(breaches('BatchAnswer', wrong)).not.toEqual([]);
});
