/** Messages of every shape there has been. A version that does not know one of them must not be deployed. */

import { createExecutionContext, createMessageBatch, getQueueResult, reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, expect, test } from 'vitest';
import { consume } from '../../src/landing/consume.ts';

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
