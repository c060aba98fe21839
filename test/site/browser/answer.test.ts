import { expect, test } from 'vitest';
import { problemOf as describeProblem } from '../../../src/intake/problem.ts';
import { readAnswer } from '../../../src/site/browser/answer.ts';

const TEXTS = new Map([
  ['field-start_utc', 'START_UTC'],
  ['code-no_zone', 'means no_zone'],
]);
const textOf = (id: string) => TEXTS.get(id);

const problem = {
  type: '/problems/invalid-event',
  title: 'T',
  status: 422,
  detail: 'D',
  request_id: '7d0f6a52-64c2-4b0e-9f5d-3e1c8a2b9d47',
};

const warning = { field: 'START_UTC', member: 'START_UTC', code: 'no_zone', text: 'means no_zone' };

test('`readAnswer()` of an event that is stored', () => {
  const response = { event_id: 'id', received_at: 'now', warnings: ['start_utc:no_zone'] };
  expect(readAnswer(202, { status: 'success', response }, textOf)).toEqual({
    status: 202,
    headline: 'Stored',
    detail: 'As id, at now',
    findings: [warning],
  });
});

test('`readAnswer()` of a check', () => {
  const response = { stored: false as const, warnings: [], unknown_fields: [], row: { event_id: 'id' } };
  expect(readAnswer(200, { status: 'success', response }, textOf)).toMatchObject({
    findings: [],
    row: { event_id: 'id' },
  });
});

test('`readAnswer()` of a check points at the names that were not recognised', () => {
  const response = { stored: false as const, warnings: [], unknown_fields: ['Mood'], row: {} };
  expect(readAnswer(200, { status: 'success', response }, textOf).findings).toEqual([
    expect.objectContaining({ field: 'Mood', member: 'Mood', code: 'unknown_field' }),
  ]);
});

test('`readAnswer()` of a refusal with faults', () => {
  const error = {
    field: 'EventType',
    pointer: '/Event~1Type',
    code: 'not_allowed',
    detail: 'must be',
    allowed: ['A', 'B'],
  };
  expect(readAnswer(422, { ...problem, errors: [error] }, textOf)).toEqual({
    status: 422,
    headline: 'T',
    detail: 'D',
    explanation: '/problems/invalid-event',
    findings: [
      {
        field: 'EventType',
        member: 'Event/Type',
        code: 'not_allowed',
        text: 'must be. Allowed are A, B',
      },
    ],
  });
});

test('`readAnswer()` finds the line in the detail of a syntax error, as the service words it', () => {
  const { detail } = describeProblem({ reason: 'malformed', fault: 'comma_missing', offset: 61, line: 3, column: 17 });
  expect(readAnswer(400, { ...problem, detail }, textOf).findings).toMatchObject([{ line: 2 }]);
});
