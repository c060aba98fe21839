/** The routes of every address except the endpoint itself. */

import type { IRequestStrict } from 'itty-router';
import { IttyRouter } from 'itty-router/IttyRouter';
import { CATALOG_PATH, catalog } from './catalog/catalog.ts';
import type { Env } from './config.ts';
import { BATCH_PATH } from './contract/endpoint.ts';
import { healthz, readyz } from './health/health.ts';
import { staticPage } from './http/static-page.ts';
import { batchEndpoint, notFound } from './intake/route.ts';
import { statusJson } from './status/status.ts';

/** A path with a trailing slash matches the same route. */
export const router = IttyRouter<IRequestStrict, [Env, ExecutionContext], Promise<Response>>()
  .all(BATCH_PATH, batchEndpoint)
  .all('/healthz', healthz)
  .all('/readyz', readyz)
  .all('/status.json', statusJson)
  .all(`${CATALOG_PATH}/*`, catalog)
  .get('*', staticPage)
  .head('*', staticPage)
  .all('*', notFound);
