import { describe, expect, test } from 'vitest';
import { readBatchAnswer, readServiceAnswer } from '../../src/cli/service-answer.ts';

const NOTHING = { eventId: '', isCheck: false, warnings: [], problem: '', faults: [] };

describe('readServiceAnswer()', () => {
  test('reads an acceptance', async () => {
    const answer = {
      status: 'success',
      response: { event_id: '019f', received_at: '', warnings: ['phone:wrong_type'] },
    };
    expect(await readServiceAnswer(Response.json(answer))).toEqual({
      ...NOTHING,
      eventId: '019f',
      warnings: ['phone:wrong_type'],
    });
  });

  test('reads a check', async () => {
    const answer = { status: 'success', response: { stored: false, warnings: [], row: {} } };
    expect(await readServiceAnswer(Response.json(answer))).toEqual({ ...NOTHING, isCheck: true });
  });

  test('reads a problem', async () => {
    const errors = [{ field: 'EndUtc', pointer: '/EndUtc', code: 'missing', detail: 'EndUtc is required' }];
    const problem = { type: '/problems/invalid-event', status: 422, errors };
    expect(await readServiceAnswer(Response.json(problem))).toEqual({
      ...NOTHING,
      problem: 'invalid-event',
      faults: ['EndUtc:missing'],
    });
  });

  test.each(['<h1>Bad gateway</h1>', '', 'null', '[]', '{"type":7}'])('takes nothing from %j', async (body) => {
    expect(await readServiceAnswer(new Response(body))).toEqual(NOTHING);
  });
});

describe('readBatchAnswer()', () => {
  const results = [
    { status: 202, event_id: '019f', received_at: '', warnings: ['phone:wrong_type'] },
    { status: 200, stored: false, warnings: [], row: {} },
    { status: 422, problem: { type: '/problems/invalid-event', errors: [{ field: 'EndUtc', code: 'missing' }] } },
  ];
  const response = () => Response.json({ status: 'partial', response: { accepted: 2, refused: 1, results } });

  test('reads the answer to each event', async () => {
    expect(await readBatchAnswer(response(), 3)).toEqual([
      { ...NOTHING, status: 202, eventId: '019f', warnings: ['phone:wrong_type'] },
      { ...NOTHING, status: 200, isCheck: true },
      { ...NOTHING, status: 422, problem: 'invalid-event', faults: ['EndUtc:missing'] },
    ]);
  });

  test('takes nothing from an answer to another number of events, and from that of a gateway', async () => {
    expect(await readBatchAnswer(response(), 2)).toEqual([]);
    expect(await readBatchAnswer(Response.json({ type: '/problems/too-large', status: 413 }), 3)).toEqual([]);
    expect(await readBatchAnswer(new Response('<h1>Bad gateway</h1>'), 3)).toEqual([]);
  });
});
