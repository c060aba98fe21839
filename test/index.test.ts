import { reset } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { afterEach, expect, test, vi } from 'vitest';
import { FULL_EVENT } from './sample.ts';

afterEach(() => reset());

test('an event goes from fetch through the queue to an object of R2', async () => {
  const response = await exports.default.fetch('https://intake.example/api/1.1/wf/reservation', {
    method: 'POST',
    headers: { Authentication: 'Bearer test-token' },
    body: JSON.stringify(FULL_EVENT),
  });
  expect(response.status).toBe(202);
  const { response: accepted } = await response.json<{ response: { event_id: string; received_at: string } }>();
  const { objects } = await vi.waitFor(async () => {
    const listed = await env.BUCKET.list({ prefix: 'landing/' });
    expect(listed.objects).toHaveLength(1);
    return listed;
  }, 30_000);
  const stored = await env.BUCKET.get(objects[0]?.key ?? '');
  const row = JSON.parse((await stored?.text()) ?? '');
  expect(row).toMatchObject({ event_id: accepted.event_id, received_at: accepted.received_at, first_name: 'Zoë' });
});
