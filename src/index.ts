/** The Worker: what comes in over HTTP, what comes out of the queues, and what is done on the clock. */

import type { Env } from './config.ts';
import { BATCH_PATH, ENDPOINT_PATH } from './contract/endpoint.ts';
import { pathOf } from './http/route-by-path.ts';
import { staticPage } from './http/static-page.ts';
import { batchEndpoint, endpoint, notFound } from './intake/route.ts';
import { withVersion } from './telemetry/version.ts';

// What no event needs is loaded when it is asked for.
const health = () => import('./health/health.ts');
const landing = () => import('./landing/consume.ts');
const clock = () => import('./clock/tick.ts');
const status = () => import('./status/status.ts');

// Called by the publisher, in further invocations of this Worker.
export { SourceReader } from './publish/source-reader.ts';

type Handler = (request: Request, env: Env, context: ExecutionContext) => Response | Promise<Response>;

const handlers: ReadonlyMap<string, Handler> = new Map<string, Handler>([
  [ENDPOINT_PATH, endpoint],
  [BATCH_PATH, batchEndpoint],
  ['/healthz', async (request) => (await health()).healthz(request)],
  ['/readyz', async (request, env) => (await health()).readyz(request, env)],
  ['/status.json', async (request, env) => (await status()).statusJson(request, env)],
]);

const elsewhere: Handler = async (request, env) => (await staticPage(request, env)) ?? notFound(request, env);

export default {
  fetch: (request: Request, env, context) =>
    (handlers.get(pathOf(request.url)) ?? elsewhere)(request, withVersion(env), context),
  queue: async (batch, env) => (await landing()).consume(batch, withVersion(env)),
  scheduled: async (controller, env, context) => (await clock()).tick(controller, withVersion(env), context),
} satisfies ExportedHandler<Env, unknown>;
