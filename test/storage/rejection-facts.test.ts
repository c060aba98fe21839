import { describe, expect, test } from 'vitest';
import type { Rejection } from '../../src/storage/rejection.ts';
import { readRefusals, rejectionFacts } from '../../src/storage/rejection-facts.ts';
import { rejectionLine } from '../records.ts';

const lines = (...changed: Partial<Rejection>[]) =>
  changed.map((change) =>
    rejectionLine('{"FirstName":"secret-guest"}', {
      rejected_at: '2026-07-10T12:00:00.000Z',
      sender: 'hotel-a',
      problem: 'invalid-event',
      reason: 'invalid_event',
      errors: [
        { field: 'StartUtc', code: 'required' },
        { field: 'EventType', code: 'not_allowed' },
      ],
      content_type: 'text/secret',
      idempotency_key: 'secret-key',
      ...change,
    }),
  );

describe('rejectionFacts()', () => {
  test('says who was refused, why and when, and nothing that was sent', () => {
    const facts = rejectionFacts(
      lines(
        {},
        { rejected_at: '2026-07-10T12:00:05.000Z' },
        { sender: 'hotel-b', problem: 'malformed-body', reason: 'empty', errors: [] },
      ),
    );
    expect(facts).toMatchObject({
      senders: 'hotel-a=2,hotel-b=1',
      first_at: '2026-07-10T12:00:00.000Z',
      last_at: '2026-07-10T12:00:05.000Z',
    });
    const invalid = { sender: 'hotel-a', problem: 'invalid-event', reason: 'invalid_event', count: 2 };
    expect(readRefusals(facts.refusals)).toEqual([
      { ...invalid, fault: '' },
      { sender: 'hotel-b', problem: 'malformed-body', reason: 'empty', fault: '', count: 1 },
      { ...invalid, fault: 'StartUtc:required' },
      { ...invalid, fault: 'EventType:not_allowed' },
    ]);
    expect(JSON.stringify(facts)).not.toContain('secret');
  });

  test('stays within what R2 keeps, and drops faults before bodies', () => {
    const many = Array.from({ length: 100 }, (_, at) => ({
      sender: `sender-${at % 10}-${'x'.repeat(40)}`,
      errors: Array.from({ length: 20 }, (__, field) => ({ field: `Field${field}${at}`, code: 'required' })),
    }));
    const facts = rejectionFacts(lines(...many));
    const bytes = Object.entries(facts).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
    expect(bytes).toBeLessThan(6_000);
    const refusals = readRefusals(facts.refusals);
    const bodies = refusals.filter(({ fault }) => fault === '').reduce((sum, { count }) => sum + count, 0);
    expect(bodies).toBe(100);
  });

  test('says nothing of a line that is none', () => {
    expect(rejectionFacts(['{"rejection_id":"x"}\n'])).toEqual({ senders: '', refusals: '[]' });
  });
});

describe('readRefusals()', () => {
  test.each([undefined, '', 'nonsense', '[1]', '[["a"]]'])('finds none in %s', (text) => {
    expect(readRefusals(text)).toEqual([]);
  });
});
