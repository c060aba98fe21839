/** Gathers the content of `/status.json` from what the bucket and the queues answer in time. */

import type { Config } from '../config.ts';
import { check } from '../health/checks.ts';
import { type Backlog, type Observed, observe } from '../health/observe.ts';
import { answerOf } from '../http/with-timeout.ts';
import type { KnownSender } from '../senders/sender.ts';
import { OTHERS } from '../storage/counts.ts';
import { EVENTS_PREFIX, startOf } from '../storage/keys.ts';
import type { ByHour, QueueState, SenderCounts, ServiceState, Status } from './answer.ts';
import { HOURS, hoursBefore, listRecent, type Recent } from './recent.ts';
import { countRows, refusedObjects, sumReasons } from './tally.ts';

/** How long a listing of 24 hours may take, in milliseconds. */
const LIST_TIMEOUT_MS = 6_000;

/** Objects with refused bodies that are listed at most. */
const MAX_OBJECTS = 100;

/** Gathers the status: the asking sender's own, or for an operator that of all senders and of the service. */
export async function gatherStatus(
  config: Config,
  { name, role }: KnownSender,
  version: WorkerVersionMetadata | undefined,
  now: Date,
): Promise<Status> {
  const operator = role === 'operator';
  const hours = hoursBefore(now);
  const list = (prefix: string) =>
    answerOf('status_incomplete', () => listRecent(config.bucket, prefix, hours), LIST_TIMEOUT_MS, { prefix });
  // Before the listings, behind which its second call would wait for longer than it may: only six calls of a request
  // run at a time (Workers, Limits).
  const observed = operator ? await observe(config) : undefined;
  const [[landing, events], rejected] = await Promise.all([
    // Landing first: what is published meanwhile is counted twice rather than missed.
    (async () => [await list('landing/'), await list(EVENTS_PREFIX)] as const)(),
    list('rejected/'),
  ]);
  const accepted = landing && events && countRows([landing, events]);
  const refused = rejected && countRows([rejected]);
  const objects = rejected && refusedObjects(rejected, operator ? undefined : name);
  return {
    as_of: now.toISOString(),
    sender: name,
    operator,
    hours: hours.map((hour) => new Date(startOf(hour)).toISOString()),
    senders: sendersIn(accepted, refused, operator ? undefined : name),
    reasons: objects === undefined ? null : sumReasons(objects),
    refused: objects?.slice(0, MAX_OBJECTS) ?? null,
    incomplete: incomplete({ landing, events, rejected }, objects?.length ?? 0, accepted?.has(OTHERS) === true),
    ...(observed && { service: serviceState(observed, config, version, now) }),
  };
}

function sendersIn(
  accepted: ReadonlyMap<string, ByHour> | undefined,
  refused: ReadonlyMap<string, ByHour> | undefined,
  only: string | undefined,
): SenderCounts[] {
  const none = new Array<number>(HOURS).fill(0);
  const names = only === undefined ? new Set([...(accepted?.keys() ?? []), ...(refused?.keys() ?? [])]) : [only];
  const counts = Array.from(names, (sender) => ({
    sender,
    accepted: accepted ? (accepted.get(sender) ?? none) : null,
    refused: refused ? (refused.get(sender) ?? none) : null,
  }));
  return counts.sort((left, right) => total(right) - total(left));
}

function total({ accepted, refused }: SenderCounts): number {
  return [...(accepted ?? []), ...(refused ?? [])].reduce((sum, count) => sum + count, 0);
}

function incomplete(
  { landing, events, rejected }: Readonly<Record<'landing' | 'events' | 'rejected', Recent | undefined>>,
  objects: number,
  hasOthers: boolean,
): string[] {
  const notes: readonly (readonly [boolean, string])[] = [
    [
      landing === undefined || events === undefined,
      'The bucket did not answer in time: it is not known what was accepted',
    ],
    [rejected === undefined, 'The bucket did not answer in time: it is not known what was refused'],
    [
      landing?.cut === true || events?.cut === true,
      'There are more objects than are listed for a page: more was accepted than is counted here',
    ],
    [
      rejected?.cut === true,
      'There are more objects than are listed for a page: more was refused than is counted here',
    ],
    [objects > MAX_OBJECTS, `Only the last ${MAX_OBJECTS} of ${objects} objects with refused bodies are named`],
    [hasOthers, 'Some accepted events are not counted for a sender: their objects have more senders than can be named'],
  ];
  return notes.filter(([applies]) => applies).map(([, note]) => note);
}

/** The state of the service itself, for an operator. */
function serviceState(
  { queues, publisher }: Observed,
  config: Config,
  version: WorkerVersionMetadata | undefined,
  now: Date,
): ServiceState {
  const findings = Object.entries(check({ queues, publisher }, config, now));
  return {
    version: version === undefined ? null : { id: version.id, tag: version.tag, uploaded_at: version.timestamp },
    failed: Object.fromEntries(findings.flatMap(([name, finding]) => (finding === undefined ? [] : [[name, finding]]))),
    queues: [
      queueState(config.landingQueue, queues.events),
      queueState(config.deadLetterQueue, queues.deadLetters),
      queueState(config.rejectedQueue, queues.rejected),
      queueState(config.rejectedDeadLetterQueue, queues.rejectedDeadLetters),
    ],
    published: publisher
      ? { watermark: publisher.watermark, last_run: publisher.lastRun, table: publisher.table.lastRun }
      : null,
  };
}

function queueState(name: string, backlog: Backlog | undefined): QueueState {
  if (backlog === undefined) return { name, state: null };
  const { count, bytes, oldest } = backlog;
  return { name, state: { messages: count, bytes, oldest_at: oldest?.toISOString() ?? null } };
}
