/** The Worker: what comes in over HTTP, what comes out of the queues, and what is done on the clock. */

import type { IRequestStrict } from 'itty-router';
import { IttyRouter } from 'itty-router/IttyRouter';
import type { Env } from './config.ts';
import { BATCH_PATH, ENDPOINT_PATH } from './contract/endpoint.ts';
import { byPath, pathOf } from './http/route-by-path.ts';
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

// The router takes trailing slashes for the same address.
const router = IttyRouter<IRequestStrict, [Env, ExecutionContext], Promise<Response | undefined>>()
  .all(BATCH_PATH, batchEndpoint)
  .all('/healthz', async (request) => (await health()).healthz(request))
  .all('/readyz', async (request, env) => (await health()).readyz(request, env))
  .all('/status.json', async (request, env) => (await status()).statusJson(request, env))
  .get('*', staticPage)
  .head('*', staticPage)
  .all('*', notFound);

/** The address that takes nearly all requests is looked up before the router parses theirs. */
const routed: typeof endpoint = (request, env, context) =>
  pathOf(request.url) === ENDPOINT_PATH ? endpoint(request, env, context) : router.fetch(byPath(request), env, context);

export default {
  fetch: (request: Request, env, context) => routed(request, withVersion(env), context),
  queue: async (batch, env) => (await landing()).consume(batch, withVersion(env)),
  scheduled: async (controller, env, context) => (await clock()).tick(controller, withVersion(env), context),
} satisfies ExportedHandler<Env, unknown>;
