/** A backlog that a run cannot read: its many small objects are gathered by consumers of the gather queue. */

import { uuidv7 } from '../storage/event-id.ts';
import { type GatherRequest, isGatherable } from '../storage/gather-request.ts';
import { landingPrefix, partitionIn } from '../storage/keys.ts';
import { logError } from '../telemetry/log.ts';
import type { Limits } from './limits.ts';
import type { Landed } from './plan.ts';

/** Where requests are put; a Queue is one. */
export type GatherQueue = Pick<Queue<GatherRequest>, 'sendBatch'>;

type GatherLimits = Pick<
  Limits,
  'gatherSources' | 'gatherLeast' | 'gatherBytes' | 'gatherSourceBytes' | 'gatherObjects' | 'requestsAtOnce'
>;

/** Objects that are being gathered: those of an hour up to a name. */
export interface BeingGathered {
  readonly partition: string;
  /** The first and the last name below the partition. */
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
 * Plans requests for objects in the order of their keys: small ones of one hour, as many as one consumer reads.
 *
 * @param until - Until when they are carried out, in milliseconds since 1970.
 */
export async function* planRequests(
  listing: AsyncIterable<Landed>,
  { gatherSources, gatherLeast, gatherBytes, gatherSourceBytes, gatherObjects }: GatherLimits,
  until: number,
): AsyncGenerator<GatherRequest> {
  let request: GatherRequest | undefined;
  let bytes = 0;
  let looked = 0;
  for await (const { key, size } of listing) {
    looked += 1;
    if (looked > gatherObjects) break;
    const partition = partitionIn(key);
    if (partition === undefined || size > gatherSourceBytes) continue;
    const isFull = request?.sources.length === gatherSources || bytes + size > gatherBytes;
    if (request === undefined || isFull || request.partition !== partition) {
      if (request !== undefined && request.sources.length >= gatherLeast) yield request;
      request = { partition, output: uuidv7(), sources: [], until };
      bytes = 0;
    }
    const name = key.slice(landingPrefix(partition).length);
    // What another clock has named later than now is left to a later run.
    if (!isGatherable(name, request.output)) continue;
    request.sources.push(name);
    bytes += size;
  }
  if (request !== undefined && request.sources.length >= gatherLeast) yield request;
}

/** How long a consumer may take that has begun in time: a few seconds of reading, and what R2 makes of it. */
const CARRYING_OUT_MS = 2 * 60_000;

/** What is being gathered when requests are carried out, an entry for each hour. */
export function rangesOf(requests: readonly GatherRequest[]): BeingGathered[] {
  const asked = new Map<string, BeingGathered>();
  for (const { partition, sources, until: begunBefore } of requests) {
    const until = begunBefore + CARRYING_OUT_MS;
    const [first = '', last = ''] = [sources.at(0), sources.at(-1)];
    asked.set(partition, { partition, from: asked.get(partition)?.from ?? first, through: last, until });
  }
  return [...asked.values()];
}

/**
 * Has objects gathered. It does not throw: a queue that refuses must not keep anything from being published.
 *
 * @returns Which requests may be carried out: all, or those up to where the queue has refused.
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
      // Whether it has taken these is unknown.
      return requests.slice(0, at + some.length);
    }
  }
  return requests;
}
