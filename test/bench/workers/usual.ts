/** The same job as it is usually written: Hono with its own middleware, and Zod. It keeps nothing of what it refuses. */

import { type Context, Hono } from 'hono';
import { bearerAuth } from 'hono/bearer-auth';
import { bodyLimit } from 'hono/body-limit';
import { timingSafeEqual } from 'hono/utils/buffer';
import { v7 } from 'uuid';
import { ENDPOINT_PATH } from '../../../src/contract/endpoint.ts';
import { FIELDS } from '../../../src/contract/fields.ts';
import { ZOD_EVENT } from './zod-event.ts';

interface Env {
  readonly API_TOKEN: string;
  readonly EVENTS: Queue<string>;
}

const app = new Hono<{ Bindings: Env }>();
app.post(
  ENDPOINT_PATH,
  bearerAuth({
    headerName: 'Authentication',
    verifyToken: (token, context: Context<{ Bindings: Env }>) => timingSafeEqual(token, context.env.API_TOKEN),
  }),
  bodyLimit({ maxSize: 65_536 }),
  async (context) => {
    const checked = ZOD_EVENT.safeParse(await context.req.json());
    if (!checked.success) return context.json({ status: 422, errors: checked.error.issues }, 422);
    const event: Readonly<Record<string, unknown>> = checked.data;
    const reservation = Object.fromEntries(FIELDS.map(({ wire, column }) => [column, event[wire] ?? null]));
    const eventId = v7();
    const receivedAt = new Date().toISOString();
    const row = { event_id: eventId, received_at: receivedAt, sender: 'default', schema_version: 1, ...reservation };
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(JSON.stringify(reservation)));
    const fingerprint = new Uint8Array(digest, 0, 16).toHex();
    await context.env.EVENTS.send(`${JSON.stringify({ ...row, event_fingerprint: fingerprint })}\n`, {
      contentType: 'text',
    });
    return context.json(
      { status: 'success', response: { event_id: eventId, received_at: receivedAt, warnings: [] } },
      202,
    );
  },
);

export default app;
