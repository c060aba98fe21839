/** A payload to the columns of a row: strict on what is required, tolerant everywhere else. Pure. */

import * as v from 'valibot';
import { FIELD_BY_COLUMN, FIELD_BY_WIRE, FIELDS, type Field } from './fields.ts';
import { jsonText } from './json-text.ts';
import type { FaultCode } from './kinds.ts';
import type { JsonObject } from './parse-object.ts';
import { type Reservation, type ReservationColumn, ReservationSchema } from './reservation.ts';
import { fail, ok, type Result } from './result.ts';
import { type TidyWarning, tidy } from './tidy.ts';
import { agrees } from './values.ts';

/** The room under the misspelled name that some PMSs send (three s). */
const MISSPELLED_ROOM = 'AsssignedResourceNumber';
const ROOM = 'AssignedResourceNumber';

/** A required field that is missing or cannot be used. */
export interface Fault {
  readonly field: Field;
  /** The name under which the value was sent, which is not always the field's own. */
  readonly sentAs: string;
  readonly code: FaultCode;
}

/** Something that the sender should mend, though the event is stored. */
export type WarningCode =
  | TidyWarning
  | FaultCode
  | 'misspelled_name'
  | 'two_names'
  | 'before_start'
  | 'disagrees_with_event_type';

/** A column and what is odd about it, as the row and the answer spell it. */
export type Warning = `${ReservationColumn}:${WarningCode}`;

/** What a payload says, in the form in which it is stored. */
export interface Normalised {
  readonly reservation: Reservation;
  readonly warnings: readonly Warning[];
  /** JSON text of an object: unknown fields and unusable originals, by their wire names. */
  readonly extra: string | null;
}

/**
 * Turns the payload of one event into the columns of its row.
 *
 * @returns The columns, or every fault of the required fields at once. An optional value that cannot be used is no
 * fault: its column is null, the original goes to `extra` and a warning names it.
 */
export function normalise(payload: JsonObject): Result<Normalised, readonly Fault[]> {
  const room = chooseRoom(payload);
  const columns: Record<string, unknown> = {};
  let warnings: Warning[] = [];
  // Without a prototype, so that a field named __proto__ is a field like any other.
  const extra: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(payload)) {
    if (!FIELD_BY_WIRE.has(name) && (name !== MISSPELLED_ROOM || room.warning === 'two_names')) extra[name] = value;
  }
  if (room.warning !== undefined) warnings.push(`assigned_resource_number:${room.warning}`);

  for (const field of FIELDS) {
    const sent = field.wire === ROOM ? payload[room.sentAs] : payload[field.wire];
    const tidied = isAbsent(sent) ? { value: null, warnings: [] } : tidy(field.kind, sent);
    columns[field.column] = tidied.value;
    for (const code of tidied.warnings) warnings.push(`${field.column}:${code}`);
  }

  const checked = v.safeParse(ReservationSchema, columns);
  if (checked.success) return ok(finish(checked.output, warnings, extra));

  const faults: Fault[] = [];
  for (const { field, code } of checked.issues.map(readIssue)) {
    const sentAs = field.wire === ROOM ? room.sentAs : field.wire;
    if (field.required) {
      faults.push({ field, sentAs, code });
    } else {
      columns[field.column] = null;
      extra[field.wire] = payload[field.wire];
      warnings = [...warnings.filter((warning) => !warning.startsWith(`${field.column}:`)), `${field.column}:${code}`];
    }
  }
  return faults.length > 0 ? fail(faults) : ok(finish(v.parse(ReservationSchema, columns), warnings, extra));
}

/** Which of the two names of the room counts: the canonical one, unless only the other carries a value. */
function chooseRoom(payload: JsonObject): { sentAs: string; warning?: 'misspelled_name' | 'two_names' } {
  if (isAbsent(payload[MISSPELLED_ROOM])) return { sentAs: ROOM };
  return isAbsent(payload[ROOM])
    ? { sentAs: MISSPELLED_ROOM, warning: 'misspelled_name' }
    : { sentAs: ROOM, warning: 'two_names' };
}

/** Null and a blank string say no more than a name that was not sent. */
function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

/** The messages of the schema are codes, and its entries are fields: each column fails with one issue. */
function readIssue(issue: v.BaseIssue<unknown>): { field: Field; code: FaultCode } {
  const field = FIELD_BY_COLUMN.get(String(issue.path?.[0]?.key));
  if (field === undefined) throw new Error(`The schema refuses something that is not a column: ${issue.message}`);
  return { field, code: issue.message as FaultCode };
}

/** Adds what only shows when the columns are seen together. */
function finish(reservation: Reservation, warnings: readonly Warning[], extra: Record<string, unknown>): Normalised {
  const together: Warning[] = [];
  if (!agrees(reservation.event_type, reservation.reservation_state)) {
    together.push('reservation_state:disagrees_with_event_type');
  }
  if (reservation.end_utc < reservation.start_utc) together.push('end_utc:before_start');
  return {
    reservation,
    warnings: [...warnings, ...together],
    extra: Object.keys(extra).length === 0 ? null : jsonText(extra),
  };
}
