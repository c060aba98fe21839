/** Asking consumers of the gather queue to merge the many small objects of a backlog that a run cannot read. */

import { uuidv7 } from '../storage/event-id.ts';
import { type GatherRequest, isGatherable } from '../storage/gather-request.ts';
import { landingPrefix } from '../storage/keys.ts';
import { logError } from '../telemetry/log.ts';
import type { Limits } from './limits.ts';
import { groupsOf, type LandedObject } from './plan.ts';

/** The only method of `Queue` that is used here. */
export type GatherQueue = Pick<Queue<GatherRequest>, 'sendBatch'>;

type GatherLimits = Pick<
  Limits,
  'gatherSources' | 'gatherLeast' | 'gatherBytes' | 'gatherSourceBytes' | 'requestsAtOnce'
>;

/** Objects being gathered: those of one hour within a range of names. */
export interface BeingGathered {
  readonly partition: string;
  /** The first and last name below the partition. */
  readonly from: string;
  readonly through: string;
  /** Until when the publisher leaves them alone, in milliseconds since 1970. */
  readonly until: number;
}

export function isBeingGathered(key: string, all: readonly BeingGathered[]): boolean {
  return all.some(({ partition, from, through }) => {
    const prefix = landingPrefix(partition);
    return key.startsWith(prefix) && key >= prefix + from && key <= prefix + through;
  });
}

/**
 * Plans requests for objects listed in key order. A request holds small objects of one hour, as many as one consumer
 * reads.
 *
 * @param until - Until when consumers may start on the requests, in milliseconds since 1970.
 */
export function* planRequests(
  listed: readonly LandedObject[],
  { gatherSources, gatherLeast, gatherBytes, gatherSourceBytes }: GatherLimits,
  until: number,
): Generator<GatherRequest> {
  const small = listed.filter(({ size }) => size <= gatherSourceBytes);
  for (const { partition, landed } of groupsOf(small, { partSourceBytes: gatherBytes, partSources: gatherSources })) {
    const output = uuidv7();
    const names = landed.map(({ key }) => key.slice(landingPrefix(partition).length));
    // An object named by a clock that is ahead of this one is left to a later run.
    const sources = names.filter((name) => isGatherable(name, output));
    if (sources.length >= gatherLeast) yield { partition, output, sources, until };
  }
}

/** How long a consumer that started in time may take: a few seconds of reading, and delays in R2. */
const CARRYING_OUT_MS = 2 * 60_000;

/** What is being gathered when these requests are carried out, one entry per hour. */
export function rangesToGather(requests: readonly GatherRequest[]): BeingGathered[] {
  const asked = new Map<string, BeingGathered>();
  for (const { partition, sources, until: begunBefore } of requests) {
    const until = begunBefore + CARRYING_OUT_MS;
    const [first = '', last = ''] = [sources.at(0), sources.at(-1)];
    asked.set(partition, { partition, from: asked.get(partition)?.from ?? first, through: last, until });
  }
  return [...asked.values()];
}

/**
 * Sends requests to gather objects. Does not throw: a queue that refuses must not stop anything from being published.
 *
 * @returns The requests that may be carried out: all, or those up to and including the batch that the queue refused.
 */
export async function askToGather(
  queue: GatherQueue,
  requests: readonly GatherRequest[],
  { requestsAtOnce }: GatherLimits,
): Promise<readonly GatherRequest[]> {
  for (let at = 0; at < requests.length; at += requestsAtOnce) {
    const some = requests.slice(at, at + requestsAtOnce);
    try {
      await queue.sendBatch(some.map((body) => ({ body, contentType: 'json' })));
    } catch (error) {
      logError('gather_not_asked', error, { requests: requests.length - at });
      // It is unknown whether the queue took these.
      return requests.slice(0, at + some.length);
    }
  }
  return requests;
}
