/** The real bucket, with somebody standing at every call: to kill the run there, or to let another one go first. */

import { env } from 'cloudflare:workers';
import type { Scheduler } from 'fast-check';
import { expect } from 'vitest';
import type { Bucket } from '../../src/storage/bucket.ts';

/** Before or after which call of a run, counted from 1. */
export interface Moment {
  readonly call: number;
  readonly when: 'before' | 'after';
}

/** What a killed run throws. */
export class Killed extends Error {}

/** Watches a bucket: `visit` is awaited before and after each call, and what it throws ends the call. */
export function watch(visit: (moment: Moment, what: string, args: readonly unknown[]) => Promise<void>): Bucket {
  let calls = 0;
  function watched<Method extends keyof Bucket>(method: Method): Bucket[Method] {
    const call = async (...args: unknown[]) => {
      calls += 1;
      const at = calls;
      await visit({ call: at, when: 'before' }, method, args);
      try {
        return await Reflect.apply(env.BUCKET[method], env.BUCKET, args);
      } finally {
        await visit({ call: at, when: 'after' }, method, args);
      }
    };
    return call as Bucket[Method];
  }
  return {
    head: watched('head'),
    get: watched('get'),
    put: watched('put'),
    list: watched('list'),
    delete: watched('delete'),
  };
}

/** A bucket whose user dies at this moment: no call comes through any more. */
export function killedAt({ call, when }: Moment): Bucket {
  let dead = false;
  return watch(async (moment) => {
    dead ||= moment.call === call && moment.when === when;
    if (dead) throw new Killed(`killed ${when} call ${call}`);
  });
}

/** A bucket whose user is held up at this moment until `meanwhile` has happened. */
export function heldUpAt({ call, when }: Moment, meanwhile: () => Promise<void>): Bucket {
  return watch(async (moment) => {
    if (moment.call === call && moment.when === when) await meanwhile();
  });
}

/**
 * Has three runs interleave in any order, and something else beside them; the first run dies after so many calls.
 *
 * @throws What else goes wrong in one of them.
 */
export async function interleave(
  scheduler: Scheduler,
  lastCall: number,
  run: (number: number, bucket: Bucket) => Promise<unknown>,
  others: readonly (() => Promise<unknown>)[] = [],
): Promise<void> {
  const turn = (what: string) => scheduler.schedule(Promise.resolve(), what);
  const runs = [0, 1, 2].map((number) => {
    let calls = 0;
    const bucket = watch(async (_, what) => {
      calls += 1;
      if (number === 0 && calls > lastCall) throw new Killed();
      await turn(`run ${number} ${what}`);
    });
    return run(number, bucket);
  });
  const beside = others.map((other, at) => turn(`something else ${at}`).then(other));
  const ended = Promise.allSettled([...runs, ...beside]);
  await scheduler.waitFor(ended);
  for (const result of await ended) {
    if (result.status === 'rejected') expect(result.reason).toBeInstanceOf(Killed);
  }
}

/** The calls that a run makes, by name, in their order. */
export async function callsOf(run: (bucket: Bucket) => Promise<unknown>): Promise<string[]> {
  const calls: string[] = [];
  await run(
    watch(async ({ when }, what) => {
      if (when === 'before') calls.push(what);
    }),
  );
  return calls;
}

/**
 * The moments before and after the calls that a run makes.
 *
 * @param every - One moment in so many; all of them with `THOROUGH=1`. Odd, to come before and after calls.
 * @param least - With fewer moments, the run did not do what it was set up for.
 */
export async function momentsOf(
  run: (bucket: Bucket) => Promise<unknown>,
  every: number,
  least: number,
): Promise<Moment[]> {
  const moments: Moment[] = [];
  await run(watch(async (moment) => void moments.push(moment)));
  expect(moments.length).toBeGreaterThan(least);
  return moments.filter((_, at) => at % (__THOROUGH__ ? 1 : every) === 0);
}
