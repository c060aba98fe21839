/** The Worker: HTTP requests, queue batches and cron triggers. */

import type { Env } from './config.ts';
import { ENDPOINT_PATH } from './contract/endpoint.ts';
import { byPath, pathOf } from './http/route-by-path.ts';
import { endpoint, withoutTls } from './intake/route.ts';
import { isWithoutTls } from './intake/without-tls.ts';
import { withVersion } from './telemetry/log.ts';

// The Worker is deployed as one file. Modules that intake does not need are evaluated on first use.
const routes = () => import('./routes.ts');
const landing = () => import('./landing/consume.ts');
const cron = () => import('./cron/scheduled.ts');

const route: typeof endpoint = (request, env, context) => {
  const { url } = request;
  if (isWithoutTls(url)) return withoutTls(request, env, context);
  // Nearly all requests go to the endpoint, which is matched without the router.
  return pathOf(url) === ENDPOINT_PATH ? endpoint(request, env, context) : elsewhere(request, env, context);
};

const elsewhere: typeof endpoint = async (request, env, context) =>
  (await routes()).router.fetch(byPath(request), env, context);

export default {
  fetch: (request: Request, env, context) => route(request, withVersion(env), context),
  queue: async (batch, env) => (await landing()).consume(batch, withVersion(env)),
  scheduled: async (controller, env) => (await cron()).runScheduled(controller, withVersion(env)),
} satisfies ExportedHandler<Env, unknown>;
