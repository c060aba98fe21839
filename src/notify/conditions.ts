/** The conditions of the runbook that a scheduled run can detect. Pure. */

import { type Configured, check } from '../health/checks.ts';
import type { Observed } from '../health/observe.ts';
import type { ShownToken } from '../storage/shown-tokens.ts';

/** What is wrong by name of the alarm, or null when nothing is. An alarm whose state is unknown is left out. */
export type Conditions = ReadonlyMap<string, string | null>;

/** The capacity of a queue in bytes (Cloudflare Queues, Limits). A full queue refuses messages. */
const QUEUE_CAPACITY_BYTES = 25e9;

/** How long a late event keeps its alarm raised. */
const LATE_MS = 24 * 3_600_000;

/**
 * Derives the alarms from what was observed at the time `now`, and from the tokens sent without TLS in the 24 hours
 * before it. A store that does not answer is one alarm, and leaves the alarms that depend on it as they are.
 */
export function conditionsOf(
  observed: Observed,
  config: Configured,
  now: Date,
  shown: readonly ShownToken[] | undefined,
): Conditions {
  const { events, deadLetters, rejected, rejectedDeadLetters } = observed.queues;
  const { publisher } = observed;
  const findings = check(observed, config, now);
  const filling = capacity(observed.queues);
  const alarms: readonly (readonly [name: string, finding: string | undefined, ...sources: unknown[]])[] = [
    ['secrets', findings.secrets],
    ['queue', findings.queue],
    ['backlog', findings.backlog, events],
    ['capacity', filling, ...(filling === undefined ? Object.values(observed.queues) : [])],
    ['dead_letters', findings.dead_letters, deadLetters, rejectedDeadLetters],
    ['rejected', findings.rejected, rejected],
    ['published', findings.published, publisher],
    ['watermark', findings.watermark, publisher],
    ['table', findings.table, publisher],
    ['erasures', findings.erasures, publisher],
    ['late_events', late(publisher?.watermark?.last_late_at, now), publisher],
    ['shown_tokens', shownTokens(shown), shown],
  ];
  const known = alarms.filter(([, , ...sources]) => !sources.includes(undefined));
  return new Map(known.map(([name, finding]) => [name, finding ?? null]));
}

function shownTokens(shown: readonly ShownToken[] = []): string | undefined {
  if (shown.length === 0) return undefined;
  const tokens = shown.map(({ sender, token, shown_at }) => `token ${token} of ${sender}, last at ${shown_at}`);
  return `Tokens came over http, where others can read them: ${tokens.join('; ')}`;
}

const QUEUE_NAMES = [
  ['events', 'The queue'],
  ['deadLetters', 'The dead-letter queue'],
  ['rejected', 'The queue of refused bodies'],
  ['rejectedDeadLetters', 'The dead-letter queue of refused bodies'],
] as const;

function capacity(queues: Observed['queues']): string | undefined {
  const filling = QUEUE_NAMES.flatMap(([key, name]) => {
    const bytes = queues[key]?.bytes ?? 0;
    return bytes > QUEUE_CAPACITY_BYTES / 2 ? [`${name} holds ${(bytes / 1e9).toFixed(1)} GB`] : [];
  });
  if (filling.length === 0) return undefined;
  return `${filling.join('; ')} of the ${QUEUE_CAPACITY_BYTES / 1e9} GB that a queue can hold; a full queue refuses messages`;
}

function late(lastLateAt: string | null | undefined, now: Date): string | undefined {
  if (!lastLateAt || now.getTime() - Date.parse(lastLateAt) > LATE_MS) return undefined;
  return `An event was published behind the watermark at ${lastLateAt}`;
}
