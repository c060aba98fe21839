/** The Worker: what comes in over HTTP, and what comes out of the queues. */

import type { Env } from './config.ts';
import { intake } from './intake/route.ts';
import { consume } from './landing/consume.ts';

export default {
  fetch: (request, env, context) => intake(request, env, context),
  queue: (batch, env) => consume(batch, env),
} satisfies ExportedHandler<Env, unknown>;
