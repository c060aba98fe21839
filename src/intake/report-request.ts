/**
 * What is told of a request: one data point, and one log line unless an event was accepted the normal way. That is what
 * nearly all requests are, and the row says all of it. No value of the body is told but the type of the event.
 */

import type { Env } from '../config.ts';
import type { KnownSender } from '../senders/sender.ts';
import { writeDataPoint } from '../telemetry/data-point.ts';
import { log } from '../telemetry/log.ts';
import type { DurablePath } from './make-durable.ts';
import type { EventResult, Outcome } from './outcome.ts';

/** Reports how a request ended. */
export function reportRequest(
  { METRICS, LOG_ACCEPTED }: Pick<Env, 'METRICS' | 'LOG_ACCEPTED'>,
  method: string,
  requestId: string,
  outcome: Outcome,
  status: number,
  durationMs: number,
): void {
  const sender = 'sender' in outcome ? outcome.sender : undefined;
  const reason = outcome.kind === 'refused' ? outcome.refusal.reason : undefined;
  const path = pathOf(outcome);
  const isNormal = outcome.kind === 'accepted' && outcome.path === 'queue';
  if (!isNormal || LOG_ACCEPTED === 'true') {
    log('request', {
      request_id: requestId,
      method,
      status,
      reason,
      sender: sender?.name,
      token: sender?.tokenNumber,
      event_id: outcome.kind === 'accepted' ? outcome.accepted.eventId : undefined,
      rejection_id: outcome.kind === 'refused' ? outcome.kept?.rejectionId : undefined,
      path,
      ...(outcome.kind === 'batch' && {
        events: outcome.results.length,
        refused: outcome.results.filter(({ kind }) => kind === 'refused').length,
        queued: outcome.queued,
      }),
      duration_ms: durationMs,
    });
  }
  if (outcome.kind === 'batch') {
    reportResults(METRICS, outcome.results, outcome.sender, status, durationMs);
    return;
  }
  writeDataPoint(METRICS, {
    kind: 'request',
    outcome: reason ?? outcome.kind,
    source: sender?.name ?? '',
    event_type: outcome.kind === 'accepted' ? outcome.accepted.eventType : '',
    path: path ?? '',
    count: 1,
    duration_ms: durationMs,
    status,
    age_ms: 0,
    token: sender?.tokenNumber ?? 0,
  });
}

/** The store that has what was sent. */
function pathOf(outcome: Outcome): DurablePath | undefined {
  switch (outcome.kind) {
    case 'options':
    case 'checked':
    case 'batch':
      return undefined;
    case 'accepted':
      return outcome.path;
    case 'refused':
      return outcome.kept?.path;
  }
}

/** One data point for the events of a batch that have all of it in common but their number. */
function reportResults(
  dataset: Env['METRICS'],
  results: readonly EventResult[],
  { name, tokenNumber }: KnownSender,
  status: number,
  durationMs: number,
): void {
  const points = results.map((result) => ({
    outcome: result.kind === 'refused' ? result.refusal.reason : result.kind,
    event_type: result.kind === 'accepted' ? result.event.eventType : '',
    path: (result.kind !== 'checked' && result.path) || '',
  }));
  for (const group of Map.groupBy(points, (point) => JSON.stringify(point)).values()) {
    const [first] = group;
    if (first === undefined) continue;
    writeDataPoint(dataset, {
      kind: 'request',
      ...first,
      source: name,
      count: group.length,
      duration_ms: durationMs,
      status,
      age_ms: 0,
      token: tokenNumber,
    });
  }
}
