/** The Worker of `npm start`: the deployed one, with a bucket that is as strict as R2. */

import type { Env } from '../config.ts';
import worker from '../index.ts';
import { limitWrites } from './limit-writes.ts';

const limited = new WeakSet<R2Bucket>();

function withLimits(env: Env): Env {
  if (env.BUCKET !== undefined && !limited.has(env.BUCKET)) {
    limitWrites(env.BUCKET, Date.now);
    limited.add(env.BUCKET);
  }
  return env;
}

export default {
  fetch: (request: Request, env, context) => worker.fetch(request, withLimits(env), context),
  queue: (batch, env) => worker.queue(batch, withLimits(env)),
  scheduled: (controller, env) => worker.scheduled(controller, withLimits(env)),
} satisfies ExportedHandler<Env, unknown>;
