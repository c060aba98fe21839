/** A consumer that is killed, and a bucket that fails it. */

import type { Env } from '../../src/config.ts';
import { consume } from '../../src/landing/consume.ts';
import type { Random } from './random.ts';
import { never } from './store-faults.ts';

/** What can happen to the handling of a batch, the good case first. */
export const CONSUMER_FAULTS = [
  'nothing',
  'R2 refuses the write',
  'R2 writes, then reports failure',
  'R2 hangs until the consumer is killed',
  'killed before the write',
  'killed after the write, before any acknowledgement',
  'killed between two acknowledgements',
  'killed after the last acknowledgement',
] as const;

/** One of them. */
export type ConsumerFault = (typeof CONSUMER_FAULTS)[number];

/** The one call of a bucket that a consumer needs. */
export type Put = (...args: Parameters<R2Bucket['put']>) => Promise<R2Object | null>;

/**
 * Handles a batch under a fault. The platform delivers a batch again when its handler dies; whether it then honours
 * acknowledgements from before is not promised, so that both happen here. Nothing is delivered later than at once,
 * since the delays have a test of their own.
 *
 * @returns The messages that are acknowledged for good.
 */
export async function consumeUnder(
  fault: ConsumerFault,
  queue: string,
  batch: readonly Message[],
  env: Env,
  put: Put,
  random: Random,
): Promise<Message[]> {
  const { promise: killed, resolve: kill } = Promise.withResolvers<void>();
  let dead = false;
  const die = () => {
    dead = true;
    kill();
  };
  const acknowledged = new Set<string>();
  const diesAfter = fault === 'killed between two acknowledgements' ? Math.ceil(batch.length / 2) : Infinity;

  const messages = batch.map((message) => ({
    id: message.id,
    timestamp: message.timestamp,
    attempts: message.attempts,
    body: message.body,
    ack() {
      if (!dead) acknowledged.add(message.id);
      if (acknowledged.size >= diesAfter) die();
    },
    retry() {},
  }));
  const bucket = Object.assign(Object.create(env.BUCKET ?? null), {
    list: (options: R2ListOptions) => env.BUCKET?.list(options),
    async put(...args: Parameters<Put>) {
      if (dead) return never();
      switch (fault) {
        case 'R2 refuses the write':
          throw new Error('injected: refused');
        case 'R2 hangs until the consumer is killed':
        case 'killed before the write':
          die();
          return never();
        case 'R2 writes, then reports failure':
          await put(...args);
          throw new Error('injected: reported as failed');
        case 'killed after the write, before any acknowledgement':
          await put(...args);
          die();
          return never();
        default:
          return put(...args);
      }
    },
  });

  await Promise.race([consume({ queue, messages }, { ...env, BUCKET: bucket }), killed]);
  const honoured = !dead || random.chance(50);
  const done = batch.filter(({ id }) => honoured && acknowledged.has(id));
  for (const message of batch) {
    if (done.includes(message)) message.ack();
    else message.retry({ delaySeconds: 0 });
  }
  return done;
}
