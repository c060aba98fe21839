/**
 * What is told of a request: one data point, and one log line unless an event was accepted the normal way. That is what
 * nearly all requests are, and the row says all of it. No value of the body is told but the type of the event.
 */

import type { Env } from '../config.ts';
import { writeDataPoint } from '../telemetry/data-point.ts';
import { log } from '../telemetry/log.ts';
import type { StoredIn } from './make-durable.ts';
import type { Outcome } from './outcome.ts';

/** How a request for one event ended. */
type SingleOutcome = Exclude<Outcome, { readonly kind: 'batch' }>;

export function reportRequest(
  { METRICS, LOG_ACCEPTED }: Pick<Env, 'METRICS' | 'LOG_ACCEPTED'>,
  method: string,
  requestId: string,
  outcome: SingleOutcome,
  status: number,
  durationMs: number,
): void {
  const sender = 'sender' in outcome ? outcome.sender : undefined;
  const reason = outcome.kind === 'refused' ? outcome.refusal.reason : undefined;
  const storedIn = storeOf(outcome);
  const isNormal = outcome.kind === 'accepted' && outcome.storedIn === 'queue';
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
      stored_in: storedIn,
      duration_ms: durationMs,
    });
  }
  writeDataPoint(METRICS, {
    kind: 'request',
    outcome: reason ?? outcome.kind,
    source: sender?.name ?? '',
    event_type: outcome.kind === 'accepted' ? outcome.accepted.eventType : '',
    stored_in: storedIn ?? '',
    count: 1,
    duration_ms: durationMs,
    status,
    token: sender?.tokenNumber ?? 0,
  });
}

/** The store that has what was sent. */
function storeOf(outcome: SingleOutcome): StoredIn | undefined {
  switch (outcome.kind) {
    case 'options':
    case 'checked':
      return undefined;
    case 'accepted':
      return outcome.storedIn;
    case 'refused':
      return outcome.kept?.storedIn;
  }
}
