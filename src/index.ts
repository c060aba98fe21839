/** The Worker: what comes in over HTTP, what comes out of the queues, and what is done on the clock. */

import type { IRequestStrict } from 'itty-router';
import { IttyRouter } from 'itty-router/IttyRouter';
import type { Env } from './config.ts';
import { ENDPOINT_PATH } from './contract/endpoint.ts';
import { healthz, readyz } from './health/health.ts';
import { byPath } from './http/route-by-path.ts';
import { staticPage } from './http/static-page.ts';
import { endpoint, notFound } from './intake/route.ts';
import { consume } from './landing/consume.ts';

// The router takes trailing slashes for the same address.
const router = IttyRouter<IRequestStrict, [Env, ExecutionContext], Promise<Response | undefined>>()
  .all(ENDPOINT_PATH, endpoint)
  .all('/healthz', healthz)
  .all('/readyz', readyz)
  .get('*', staticPage)
  .head('*', staticPage)
  .all('*', notFound);

export default {
  fetch: (request: Request, env, context) => router.fetch(byPath(request), env, context),
  queue: (batch, env) => consume(batch, env),
  // Loaded here, since an isolate that takes events never needs it.
  async scheduled(controller, env) {
    const { onSchedule } = await import('./publish/on-schedule.ts');
    await onSchedule(controller, env);
  },
} satisfies ExportedHandler<Env, unknown>;
