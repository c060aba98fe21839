/** Messages of every shape there has been. A version that does not know one of them must not be deployed. */

import { createExecutionContext, createMessageBatch, getQueueResult, reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import * as v from 'valibot';
import { afterEach, expect, test } from 'vitest';
import { StoredRowSchema } from '../../src/contract/row.ts';
import { consume } from '../../src/landing/consume.ts';
import { toLine } from '../../src/storage/line.ts';
import { FULL_EVENT } from '../sample.ts';
import { sampleRow } from '../sample-row.ts';

afterEach(() => reset());

/** Add to these when the shape of a message changes, and take none away before no queue can hold it: 14 days later. */
const EARLIER: readonly (readonly [
  version: string,
  queue: 'LANDING_QUEUE' | 'REJECTED_QUEUE',
  prefix: string,
  message: string,
])[] = [
  [
    '0.1',
    'LANDING_QUEUE',
    'landing',
    '{"event_id":"01a21f27-52bd-76cf-862e-25f34c257c38","event_fingerprint":"269a5f7174d5589b516e05d17611dfe5","idempotency_key":null,"received_at":"2026-11-27T22:36:40.509Z","sender":"default","schema_version":1,"integration_id":"int-48","property_id":"prop-2207","event_type":"ReservationConfirmed","reservation_state":"Confirmed","assigned_resource_number":"007","start_utc":"2026-07-10T14:00:00.000Z","end_utc":"2026-07-14T10:00:00.000Z","reservation_id":null,"reservation_origin":null,"reservation_purpose":null,"rate_id":null,"meal_plan":null,"room_type_id":null,"customer_id":null,"first_name":null,"last_name":null,"email":null,"phone":null,"nationality_code":null,"loyalty_code":null,"preferred_language":null,"staff_comment":null,"created_utc":null,"birth_date":null,"adult_counts":null,"child_counts":null,"warnings":[],"extra":null}\n',
  ],
  [
    '0.2',
    'LANDING_QUEUE',
    'landing',
    '{"event_id":"01a21f27-52bd-76cf-862e-25f34c257c39","event_fingerprint":"ba6a4eb0bcabc554993d1f1137367ab7","idempotency_key":null,"received_at":"2026-11-27T22:36:40.509Z","occurred_at":"2026-11-27T22:36:39.000Z","sender":"default","schema_version":2,"integration_id":"int-48","property_id":"prop-2207","event_type":"ReservationConfirmed","reservation_state":"Confirmed","assigned_resource_number":"007","start_utc":"2026-07-10T14:00:00.000Z","end_utc":"2026-07-14T10:00:00.000Z","reservation_id":null,"reservation_origin":null,"reservation_purpose":null,"rate_id":null,"meal_plan":null,"room_type_id":null,"customer_id":null,"first_name":null,"last_name":null,"email":null,"phone":null,"nationality_code":null,"loyalty_code":null,"preferred_language":null,"staff_comment":null,"created_utc":null,"birth_date":null,"adult_counts":null,"child_counts":null,"warnings":[],"extra":"{\\"Price\\":12345678901234567890}"}\n',
  ],
  [
    '0.1',
    'REJECTED_QUEUE',
    'rejected',
    '{"rejection_id":"01a21f27-52cd-718a-8c29-27eb63d8d47a","rejected_at":"2026-11-27T22:36:40.525Z","sender":"default","status":422,"problem":"invalid-event","reason":"invalid_event","errors":[{"field":"EventType","code":"not_allowed"}],"content_type":"text/plain;charset=UTF-8","content_encoding":null,"idempotency_key":null,"body_fingerprint":"217f05185c984cbab882ad80316bf5a5","truncated":false,"body_encoding":"text","body":"{\\"EventType\\":\\"Unheard\\"}"}\n',
  ],
];

test.each(EARLIER)('%s: a message of %s lands under %s', async (_, queue, prefix, message) => {
  const batch = createMessageBatch(env[queue], [{ id: 'm', timestamp: new Date(), attempts: 1, body: message }]);
  const context = createExecutionContext();
  await consume(batch, env);
  expect(await getQueueResult(batch, context)).toMatchObject({ explicitAcks: ['m'], retryMessages: [] });
  const { objects } = await env.BUCKET.list();
  expect(objects.map(({ key }) => key)).toEqual([expect.stringMatching(new RegExp(`^${prefix}/`))]);
  expect(await (await env.BUCKET.get(objects[0]?.key ?? ''))?.text()).toBe(message);
});

/**
 * What the consumers of earlier versions ask of the line of an event before they land it; what they do not know they
 * bury. During a gradual deployment, and after a rollback, they receive the lines of this version. Take none of these away
 * before its version can no longer be deployed.
 */
const EARLIER_CONSUMERS: readonly (readonly [version: string, lands: RegExp])[] = [
  [
    '0.1',
    /^\{"event_id":"0[\da-f]{7}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}",[^\n\r\u0085\u2028\u2029]*\}\n$/,
  ],
];

test.each(EARLIER_CONSUMERS)('%s: its consumer lands the lines of this version', (_, lands) => {
  const event = { ...FULL_EVENT, UpdatedUtc: '2026-07-01T10:00:00Z', StaffComment: 'a\u2028b\u0085c\r\nd', Price: 1.5 };
  expect(toLine(sampleRow(event, '01a21ef9-f32d-7279-bda2-96945fb413af'))).toMatch(lands);
});

test('the rows of every version can be read by one schema', () => {
  const rows = EARLIER.filter(([, queue]) => queue === 'LANDING_QUEUE').map(([, , , line]) => JSON.parse(line));
  expect(rows.map(({ schema_version }) => schema_version)).toEqual([1, 2]);
  for (const row of rows) expect(v.is(StoredRowSchema, row)).toBe(true);
});
