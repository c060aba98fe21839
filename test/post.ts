/** A request of a sender to the endpoint, past the address. */

import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import type { Env } from '../src/config.ts';
import { endpoint } from '../src/intake/route.ts';

/** Where events are sent to. */
export const ENDPOINT = 'https://intake.example/api/1.1/wf/reservation';

/** Posts an event to a version of the Worker. */
export function post(event: object, token: string = env.API_TOKEN, using: Env = env, headers = {}): Promise<Response> {
  const request = new Request(ENDPOINT, {
    method: 'POST',
    headers: { Authentication: `Bearer ${token}`, ...headers },
    body: JSON.stringify(event),
  });
  return endpoint(request, using, createExecutionContext());
}
