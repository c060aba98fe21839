import { describe, expect, test } from 'vitest';
import { readServiceAnswer } from '../../src/cli/service-answer.ts';

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
