/** The result of a check as an HTTP response. */

import { fieldMeant } from '../contract/names.ts';
import { respond } from '../http/respond.ts';
import type { BuiltEvent } from './build-event.ts';

/**
 * The row as it would be stored, and the names that were not recognised: the one answer that holds what was sent, to
 * the sender that has just sent it.
 */
export function answerCheck({ line, warnings }: BuiltEvent, requestId: string): Response {
  const row = JSON.parse(line);
  // Beside unknown fields, `extra` holds values of known ones that were set aside.
  const unknown = Object.keys(JSON.parse(row.extra ?? '{}')).filter((name) => fieldMeant(name) === undefined);
  const body = { status: 'success', response: { stored: false, warnings, unknown_fields: unknown, row } };
  return respond(200, 'application/json', body, requestId);
}
