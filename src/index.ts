/** The Worker: what comes in over HTTP, what comes out of the queues, and what is done on the clock. */

import type { IRequestStrict } from 'itty-router';
import { IttyRouter } from 'itty-router/IttyRouter';
import { byPath } from './by-path.ts';
import type { Env } from './config.ts';
import { health } from './health/health.ts';
import { intake } from './intake/route.ts';
import { consume } from './landing/consume.ts';
import { onSchedule } from './publish/on-schedule.ts';

const router = IttyRouter<IRequestStrict, [Env, ExecutionContext], Promise<Response>>()
  .all('/healthz', health)
  .all('/readyz', health)
  .all('*', intake);

export default {
  fetch: (request, env, context) => router.fetch(byPath(request), env, context),
  queue: (batch, env) => consume(batch, env),
  scheduled: (controller, env) => onSchedule(controller, env),
} satisfies ExportedHandler<Env, unknown>;
