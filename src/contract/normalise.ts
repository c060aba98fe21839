/** A payload to the columns of a row: strict on what is required, tolerant everywhere else. Pure. */

import * as v from 'valibot';
import { canonicalText } from '../json/canonical-text.ts';
import type { JsonObject } from '../json/parse-object.ts';
import { fail, ok, type Result } from '../result.ts';
import { FIELD_BY_WIRE, FIELDS, type Field } from './fields.ts';
import type { FaultCode } from './kinds.ts';
import type { EventColumn, Reservation } from './reservation.ts';
import { type Tidied, type TidyWarning, tidy } from './tidy.ts';
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
export type Warning = `${EventColumn | 'extra'}:${WarningCode}`;

/** What a payload says, in the form in which it is stored. */
export interface Normalised {
  readonly reservation: Reservation;
  /** When it happened, as the body says. */
  readonly occurredAt: string | null;
  readonly warnings: readonly Warning[];
  /** Canonical JSON text of an object: unknown fields and unusable originals, by their wire names. */
  readonly extra: string | null;
}

/** Where a row starts: nothing is known. A copy of an object that has all its columns is quicker than adding each. */
const NO_COLUMNS: Readonly<Record<string, unknown>> = Object.fromEntries(FIELDS.map(({ column }) => [column, null]));

/**
 * Turns the payload of one event into the columns of its row.
 *
 * @returns The columns, or every fault of the required fields at once. An optional value that cannot be used is no
 * fault: its column is null, the original goes to `extra` and a warning names it.
 */
export function normalise(payload: JsonObject): Result<Normalised, readonly Fault[]> {
  const room = chooseRoom(payload);
  const columns = { ...NO_COLUMNS };
  const warnings: Warning[] = [];
  const faults: Fault[] = [];
  const extra = unknownFields(payload, room.warning === 'two_names');
  if (room.warning !== undefined) warnings.push(`assigned_resource_number:${room.warning}`);

  for (const field of FIELDS) {
    const { column, wire } = field;
    const sentAs = wire === ROOM ? room.sentAs : wire;
    const sent = payload[sentAs];
    const tidied = isAbsent(sent) ? ABSENT : tidy(field.kind, sent);
    const checked = v.safeParse(field.schema, tidied.value);
    if (checked.success) {
      columns[column] = checked.output;
      for (const warning of tidied.warnings) warnings.push(`${column}:${warning}`);
      continue;
    }
    // The messages of the schema are codes.
    const code = checked.issues[0].message as FaultCode;
    if (field.required) {
      faults.push({ field, sentAs, code });
    } else {
      extra[wire] = sent;
      warnings.push(`${column}:${code}`);
    }
  }
  if (faults.length > 0) return fail(faults);
  const { occurred_at: occurredAt, ...reservation } = columns;
  // Each column is what its own entry of the schema gave out.
  return ok(finish(reservation as Reservation, occurredAt as string | null, warnings, extra));
}

const ABSENT: Tidied = { value: null, warnings: [] };

/** What the contract does not know. It has no prototype, so that a field named __proto__ is a field like any other. */
function unknownFields(payload: JsonObject, keepsMisspelledRoom: boolean): Record<string, unknown> {
  const unknown: Record<string, unknown> = Object.create(null);
  for (const name of Object.keys(payload)) {
    if (FIELD_BY_WIRE.has(name) || (name === MISSPELLED_ROOM && !keepsMisspelledRoom)) continue;
    unknown[name] = payload[name];
  }
  return unknown;
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

/** Adds what only shows when the columns are seen together. */
function finish(
  reservation: Reservation,
  occurredAt: string | null,
  warnings: Warning[],
  unknown: Record<string, unknown>,
): Normalised {
  if (!agrees(reservation.event_type, reservation.reservation_state)) {
    warnings.push('reservation_state:disagrees_with_event_type');
  }
  if (reservation.end_utc < reservation.start_utc) warnings.push('end_utc:before_start');
  const extra = Object.keys(unknown).length === 0 ? undefined : canonicalText(unknown);
  if (extra?.replaced) warnings.push('extra:replaced_characters');
  return { reservation, occurredAt, warnings, extra: extra?.text ?? null };
}
