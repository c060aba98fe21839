/**
 * Reports a request. It gets a log line, unless an event was accepted the normal way: nearly all are, and the row has
 * all the facts. It also gets a data point, or several for a batch: one for each group of events with the same result.
 * No value of the body is reported except the event type.
 */

import type { Env } from '../config.ts';
import { writeDataPoint } from '../telemetry/data-point.ts';
import { log } from '../telemetry/log.ts';
import type { EventResult, Outcome } from './outcome.ts';

export function report(
  { METRICS, LOG_ACCEPTED }: Pick<Env, 'METRICS' | 'LOG_ACCEPTED'>,
  method: string,
  requestId: string,
  outcome: Outcome,
  status: number,
  durationMs: number,
): void {
  const sender = 'sender' in outcome ? outcome.sender : undefined;
  const isNormal = outcome.kind === 'accepted' && outcome.storedIn === 'queue';
  if (!isNormal || LOG_ACCEPTED === 'true') {
    log('request', {
      request_id: requestId,
      method,
      status,
      sender: sender?.name,
      token: sender?.tokenNumber,
      ...factsOf(outcome),
      duration_ms: durationMs,
    });
  }
  for (const [point, count] of pointsOf(outcome)) {
    writeDataPoint(METRICS, {
      kind: 'request',
      ...point,
      source: sender?.name,
      count,
      duration_ms: durationMs,
      status,
      token: sender?.tokenNumber,
    });
  }
}

function factsOf(outcome: Outcome) {
  switch (outcome.kind) {
    case 'options':
    case 'checked':
      return {};
    case 'accepted':
      return { event_id: outcome.event.eventId, stored_in: outcome.storedIn };
    case 'refused': {
      const { refusal, kept } = outcome;
      return { reason: refusal.reason, rejection_id: kept?.rejectionId, stored_in: kept?.storedIn };
    }
    case 'batch': {
      const { results, queued } = outcome;
      return { events: results.length, refused: results.filter(({ kind }) => kind === 'refused').length, queued };
    }
  }
}

interface Point {
  readonly outcome: string;
  readonly event_type?: string;
  readonly stored_in?: string | undefined;
}

function pointsOf(outcome: Outcome): readonly (readonly [Point, number])[] {
  switch (outcome.kind) {
    case 'options':
      return [[{ outcome: outcome.kind }, 1]];
    case 'accepted':
    case 'checked':
      return [[pointOf(outcome), 1]];
    case 'refused':
      return [[pointOf({ ...outcome, storedIn: outcome.kept?.storedIn }), 1]];
    case 'batch': {
      const points = Map.groupBy(outcome.results.map(pointOf), (point) => Object.values(point).join());
      return Array.from(points.values(), (alike) => [alike[0] as Point, alike.length]);
    }
  }
}

function pointOf(result: EventResult): Point {
  switch (result.kind) {
    case 'checked':
      return { outcome: result.kind };
    case 'accepted':
      return { outcome: result.kind, event_type: result.event.eventType, stored_in: result.storedIn };
    case 'refused':
      return { outcome: result.refusal.reason, stored_in: result.storedIn };
  }
}
