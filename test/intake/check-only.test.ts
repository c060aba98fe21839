import { createExecutionContext, reset, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test } from 'vitest';
import { endpoint } from '../../src/intake/route.ts';
import { mutate } from '../faults/mutate.ts';
import { seeded } from '../faults/random.ts';
import { ENDPOINT } from '../post.ts';
import { FULL_EVENT, SMALL_EVENT } from '../sample.ts';
import { queueInto } from '../stores.ts';

const AUTHENTICATION = { Authentication: 'Bearer test-token' };

afterEach(() => reset());

function send(query: string, body: BodyInit, headers: Record<string, string> = AUTHENTICATION) {
  return sendRequest(new Request(ENDPOINT + query, { method: 'POST', headers, body }));
}

/** Sends a request to a service whose every store writes down that it was used, and keeps the last message. */
async function sendRequest(request: Request) {
  const stores: string[] = [];
  let message = '';
  const queue = (name: string) =>
    queueInto((sent) => {
      stores.push(name);
      message = sent;
    });
  const bucket = new Proxy(env.BUCKET, {
    get(target, name) {
      // The list of revoked tokens is read, whatever the address asks for.
      if (name === 'get') return target.get.bind(target);
      stores.push(`R2 ${String(name)}`);
      return Reflect.get(target, name);
    },
  });
  const context = createExecutionContext();
  const using = { ...env, EVENTS: queue('events'), REJECTED: queue('rejected'), BUCKET: bucket };
  const response = await endpoint(request, using, context);
  await waitOnExecutionContext(context);
  return { status: response.status, answer: await response.json<Record<string, unknown>>(), stores, message };
}

/** What both answers to the same body have to say, but for what each event has of its own. */
function essence({ status, answer, message }: Awaited<ReturnType<typeof sendRequest>>): object {
  if (status >= 400) return { ...answer, request_id: '' };
  const { row = JSON.parse(message), warnings } = answer.response as { row?: object; warnings: readonly string[] };
  return { warnings, row: { ...row, event_id: '', received_at: '' } };
}

describe('a check', () => {
  test.each([
    [23, []],
    [25, ['occurred_at:in_the_future']],
  ])('warns of an event that happens %i hours from now: %j', async (hours, warnings) => {
    const UpdatedUtc = new Date(Date.now() + hours * 3_600_000).toISOString();
    const fromBody = await send('?check', JSON.stringify({ ...SMALL_EVENT, UpdatedUtc }));
    const fromHeader = await send('?check', JSON.stringify(SMALL_EVENT), { ...AUTHENTICATION, 'ce-time': UpdatedUtc });
    for (const { answer } of [fromBody, fromHeader]) {
      expect(answer).toMatchObject({ response: { warnings, row: { occurred_at: UpdatedUtc, warnings } } });
    }
  });

  test('answers with the row as it would be stored, and stores nothing', async () => {
    const { status, answer, stores } = await send('?check', JSON.stringify({ ...FULL_EVENT, AdultCounts: '2' }), {
      ...AUTHENTICATION,
      'Idempotency-Key': 'delivery-1',
    });
    expect(status).toBe(200);
    expect(answer).toEqual({
      status: 'success',
      response: {
        stored: false,
        warnings: ['adult_counts:text_as_number'],
        unknown_fields: [],
        row: expect.objectContaining({
          idempotency_key: 'delivery-1',
          sender: 'default',
          first_name: 'Zoë',
          adult_counts: 2,
          warnings: ['adult_counts:text_as_number'],
        }),
      },
    });
    expect(stores).toEqual([]);
  });

  test('names the fields that were not recognised, and none of which a value was only set aside', async () => {
    const event = { ...SMALL_EVENT, GuestMood: 'good', ReservationPurpose: 'Fun', 'Room Nr': 7 };
    const { answer } = await send('?check', JSON.stringify(event));
    expect(answer.response).toMatchObject({
      unknown_fields: ['GuestMood', 'Room Nr'],
      warnings: ['reservation_purpose:not_allowed'],
    });
  });

  test('answers whatever is sent as a request that is meant does, with the same row and warnings', async () => {
    const random = seeded(11);
    const statuses = new Set<number>();
    for (let number = 0; number < 150; number += 1) {
      const meant = mutate(random, 'test-token');
      const url = `${meant.url}${meant.url.includes('?') ? '&' : '?'}check`;
      const body = await meant.clone().arrayBuffer();
      const checked = await sendRequest(new Request(url, { method: meant.method, headers: meant.headers, body }));
      const stored = await sendRequest(meant);
      expect(essence(checked)).toEqual(essence(stored));
      expect(checked.stores).toEqual([]);
      statuses.add(stored.status);
    }
    expect([...statuses]).toEqual(expect.arrayContaining([202, 400, 401, 405, 413, 415, 422]));
  });

  test('is refused with a value that says neither yes nor no, which stores nothing and reads nothing', async () => {
    const { status, answer, stores } = await send('?check=maybe', JSON.stringify(SMALL_EVENT));
    expect({ status, type: answer.type, stores }).toEqual({ status: 400, type: '/problems/unclear-check', stores: [] });
    expect(answer.detail).not.toContain('maybe');
  });
});
