/** An event in a batch becomes what it becomes alone. */

import { createExecutionContext, reset, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, expect, test } from 'vitest';
import { batchEndpoint, endpoint } from '../../../src/intake/route.ts';
import { FULL_EVENT, SMALL_EVENT } from '../../sample.ts';
import { queueInto } from '../../stores.ts';

afterEach(() => reset());

const having = (more: object) => JSON.stringify({ ...SMALL_EVENT, ...more });
const written = (members: string) => `${JSON.stringify(SMALL_EVENT).slice(0, -1)},${members}}`;

/** Each is one line of NDJSON. */
const EVENTS: Readonly<Record<string, string>> = {
  'every field': JSON.stringify(FULL_EVENT),
  'the required fields only': JSON.stringify(SMALL_EVENT),
  'blanks around it': ` \t${JSON.stringify(FULL_EVENT)} \r`,
  'a byte order mark before it': `\ufeff${JSON.stringify(FULL_EVENT)}`,
  'unknown fields and other scripts': having({
    b: { z: [1, 'два'], a: null },
    a: '部屋 🛏',
    StaffComment: '\u2028\u0085',
  }),
  'a misspelled and a second name': having({ asssigned_resource_number: '9', firstname: 'Ana' }),
  'values that need a warning': having({
    StartUtc: '2026-07-10 14:00',
    RateId: 7,
    AdultCounts: '2',
    PreferredLanguage: 'German',
  }),
  'optional values that cannot be used': having({ BirthDate: '1990-02-30', ChildCounts: -1, Email: ['x'] }),
  'when it happened': having({ UpdatedUtc: '2026-05-01T10:00:00+02:00' }),
  'a number of many digits': written('"Balance":12345678901234567890.10,"RateId":1234567890123456789'),
  'a repeated name': written('"RateId":"a","RateId":"b"'),
  'an unknown field of 100 levels': written(`"Deep":${'['.repeat(100)}${']'.repeat(100)}`),
  'characters that no reader takes': written('"FirstName":"a\\u0000b\\ud800","x\\ud800":1'),
  'a field named event': having({ event: { RateId: 'x' } }),
  'texts beyond what is hashed in place': having({ StaffComment: 'é'.repeat(20_000) }),
  'a missing field': having({ StartUtc: '' }),
  'several faults': having({ StartUtc: 'soon', EventType: 'Other', PropertyId: null }),
  'the event one level down': JSON.stringify({ data: SMALL_EVENT }),
  'an array around it': `[${JSON.stringify(SMALL_EVENT)}]`,
  'a syntax error': '{"IntegrationId": "int-48", }',
  'a text': '"text"',
  'more than 64 KiB': having({ StaffComment: 'é'.repeat(33_000) }),
};

interface Answered {
  readonly status: number;
  readonly warnings?: readonly string[] | undefined;
  readonly problem?: object;
}

/** What an event was answered, and what the queues were given for it. */
interface Outcome {
  readonly answer: Answered;
  readonly record: object;
}

/** Sends a body to a service that keeps what its queues get. */
async function send(post: typeof endpoint, body: string) {
  const records: object[] = [];
  const queue = queueInto((message) => {
    for (const line of message.trimEnd().split('\n')) records.push(withoutNames(JSON.parse(line)));
  });
  const headers = { Authentication: 'Bearer test-token', 'Content-Type': 'application/json' };
  const context = createExecutionContext();
  const request = new Request('https://intake.example', { method: 'POST', headers, body });
  const response = await post(request, { ...env, EVENTS: queue, REJECTED: queue }, context);
  await waitOnExecutionContext(context);
  return { response, records };
}

/** A record without what is of its own: its identifier and its time. */
function withoutNames(record: object): object {
  const own = ['event_id', 'received_at', 'rejection_id', 'rejected_at'];
  return Object.fromEntries(Object.entries(record).filter(([name]) => !own.includes(name)));
}

/** A problem without its detail where that says what a request, or an event of a batch, should be instead. */
function withoutAdvice(problem: object): object {
  const { detail: _, ...rest } = { detail: '', ...problem };
  return 'errors' in problem ? problem : rest;
}

async function sendAlone(event: string): Promise<Outcome> {
  const { response, records } = await send(endpoint, event);
  expect(records).toHaveLength(1);
  const { status } = response;
  if (status === 202) {
    const { response: accepted } = await response.json<{ response: { warnings: readonly string[] } }>();
    return { answer: { status, warnings: accepted.warnings }, record: records[0] ?? {} };
  }
  const { request_id: _, ...problem } = await response.json<{ request_id: string }>();
  return { answer: { status, problem: withoutAdvice(problem) }, record: records[0] ?? {} };
}

/** Sends an event behind another, since the first line of a batch says in which form the batch is. */
async function sendInBatch(event: string): Promise<Outcome> {
  const { response, records } = await send(batchEndpoint, `${JSON.stringify(SMALL_EVENT)}\n${event}`);
  expect(records).toHaveLength(2);
  const { response: batch } = await response.json<{ response: { results: readonly Answered[] } }>();
  const { status = 0, warnings, problem } = batch.results[1] ?? {};
  const answer = problem === undefined ? { status, warnings } : { status, problem: withoutAdvice(problem) };
  return { answer, record: records[1] ?? {} };
}

test.each(Object.entries(EVENTS))('an event with %s becomes in a batch what it becomes alone', async (_, event) => {
  expect(await sendInBatch(event)).toEqual(await sendAlone(event));
});
