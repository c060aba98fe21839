/** What an operator sees of the service itself. Pure. */

import type { Config } from '../config.ts';
import { type Configured, check } from '../health/checks.ts';
import type { Backlog, Observed } from '../health/observe.ts';
import type { QueueState, ServiceState } from './answer.ts';

type Named = Configured &
  Pick<Config, 'landingQueue' | 'deadLetterQueue' | 'rejectedQueue' | 'rejectedDeadLetterQueue'>;

export function serviceState(
  { queues, publisher }: Observed,
  config: Named,
  version: WorkerVersionMetadata | undefined,
  now: Date,
): ServiceState {
  const findings = Object.entries(check({ queues, publisher }, config, now));
  const { lastRun, watermark, table } = publisher ?? { lastRun: null, watermark: null, table: undefined };
  return {
    version: version === undefined ? null : { id: version.id, tag: version.tag, uploaded_at: version.timestamp },
    failed: Object.fromEntries(findings.flatMap(([name, finding]) => (finding === undefined ? [] : [[name, finding]]))),
    queues: [
      queueState(config.landingQueue, queues.events),
      queueState(config.deadLetterQueue, queues.deadLetters),
      queueState(config.rejectedQueue, queues.rejected),
      queueState(config.rejectedDeadLetterQueue, queues.rejectedDeadLetters),
    ],
    published:
      publisher === undefined
        ? null
        : {
            complete_through: watermark?.complete_through ?? null,
            late_events: watermark?.late_events ?? 0,
            last_late_at: watermark?.last_late_at ?? null,
            unrecognised_messages: watermark?.unrecognised_messages ?? 0,
            readings_without_age: lastRun?.readings_without_age ?? 0,
            last_run: lastRun,
            table: table?.lastRun ?? null,
          },
  };
}

function queueState(name: string, backlog: Backlog | undefined): QueueState {
  if (backlog === undefined) return { name, state: null };
  const { count, bytes, oldest } = backlog;
  return { name, state: { messages: count, bytes, oldest_at: oldest?.toISOString() ?? null } };
}
