/** What is told of a batch: one log line, and one data point for events that have all of it in common but their number. */

import type { Env } from '../../config.ts';
import { writeDataPoint } from '../../telemetry/data-point.ts';
import { log } from '../../telemetry/log.ts';
import type { Outcome } from '../outcome.ts';

export function reportResults(
  { METRICS }: Pick<Env, 'METRICS'>,
  method: string,
  requestId: string,
  { results, sender, queued }: Extract<Outcome, { readonly kind: 'batch' }>,
  status: number,
  durationMs: number,
): void {
  const { name, tokenNumber } = sender;
  log('request', {
    request_id: requestId,
    method,
    status,
    sender: name,
    token: tokenNumber,
    events: results.length,
    refused: results.filter(({ kind }) => kind === 'refused').length,
    queued,
    duration_ms: durationMs,
  });
  const points = results.map((result) => ({
    outcome: result.kind === 'refused' ? result.refusal.reason : result.kind,
    event_type: result.kind === 'accepted' ? result.event.eventType : '',
    stored_in: (result.kind !== 'checked' && result.storedIn) || '',
  }));
  for (const group of Map.groupBy(points, (point) => Object.values(point).join()).values()) {
    const [first] = group;
    if (first === undefined) continue;
    writeDataPoint(METRICS, {
      kind: 'request',
      ...first,
      source: name,
      count: group.length,
      duration_ms: durationMs,
      status,
      token: tokenNumber,
    });
  }
}
