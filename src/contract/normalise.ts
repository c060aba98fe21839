/** A payload to the columns of a row: strict on what is required, tolerant everywhere else. Pure. */

import { canonicalText } from '../json/canonical-text.ts';
import type { JsonObject } from '../json/parse-object.ts';
import { fail, ok, type Result } from '../result.ts';
import { chooseValue } from './choose-value.ts';
import { FIELD_BY_WIRE, FIELDS, type Field } from './fields.ts';
import type { FaultCode } from './kinds.ts';
import { fieldMeant } from './names.ts';
import { isAbsent, isUnusable, type ReadWarning, readValue, type Unusable } from './read-value.ts';
import type { EventColumn, Reservation } from './reservation.ts';
import { agrees } from './values.ts';
import { type Wrapping, wrappingOf } from './wrapping.ts';

/** A required field that is missing or cannot be used. */
export interface Fault extends Unusable {
  readonly field: Field;
  /** The name under which the value was sent, which is not always the field's own. */
  readonly sentAs: string;
}

/** Why a payload is no event. */
export interface Breach {
  /** Every fault of the required fields, in the order of their columns. */
  readonly faults: readonly Fault[];
  /** Where the fields seem to be, when they are not where they belong. */
  readonly wrapping: Wrapping | undefined;
}

/** Something that the sender should put right, though the event is stored. */
export type WarningCode =
  | ReadWarning
  | FaultCode
  | 'misspelled_name'
  | 'two_names'
  | 'repeated_name'
  | 'too_deep'
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

type Columns = Record<string, string | number | null>;

/** Where a row starts: nothing is known. A copy of an object that has all its columns is quicker than adding each. */
const NO_COLUMNS: Readonly<Columns> = Object.fromEntries(FIELDS.map(({ column }) => [column, null]));

/**
 * Turns the payload of one event into the columns of its row.
 *
 * @param repeated - The names of the payload that stand in it more than once, or hold such names.
 * @returns The columns, or every fault of the required fields at once. An optional value that cannot be used is no
 * fault: its column is null, the original goes to `extra` and a warning names it.
 */
export function normalise(payload: JsonObject, repeated: readonly string[] = []): Result<Normalised, Breach> {
  const columns = { ...NO_COLUMNS };
  const warnings: Warning[] = [];
  const faults: Fault[] = [];
  const { unknown: extra, misspelled } = otherNames(payload);

  for (const field of FIELDS) {
    const { column, wire } = field;
    const chosen = misspelled?.has(field) ? chooseValue(field, payload, misspelled.get(field) ?? []) : undefined;
    const sentAs = chosen?.sentAs ?? wire;
    const sent = payload[sentAs];
    if (isAbsent(sent)) {
      if (field.required) faults.push({ field, sentAs, code: 'missing' });
      continue;
    }
    if (chosen !== undefined) {
      for (const code of chosen.warnings) warnings.push(`${column}:${code}`);
      for (const name of chosen.setAside) extra[name] = payload[name];
    }
    const read = readValue(field, sent);
    if (typeof read !== 'object') {
      columns[column] = read;
    } else if (!isUnusable(read)) {
      columns[column] = read.value;
      for (const code of read.warnings) warnings.push(`${column}:${code}`);
    } else if (field.required) {
      faults.push({ field, sentAs, ...read });
    } else {
      extra[wire] = sent;
      warnings.push(`${column}:${read.code}`);
    }
  }
  if (faults.length > 0) return fail({ faults, wrapping: wrappingOf(payload, faults) });
  for (const column of new Set(repeated.map(columnOf))) warnings.push(`${column}:repeated_name`);
  return ok(finish(columns, warnings, extra));
}

/** The names of a payload that are not those of the contract. */
interface OtherNames {
  /** What the contract does not know. It has no prototype, so that a field named __proto__ is a field like any other. */
  readonly unknown: Record<string, unknown>;
  /** Names that mean a field and are spelled differently; undefined when there is none, as nearly always. */
  readonly misspelled: ReadonlyMap<Field, string[]> | undefined;
}

function otherNames(payload: JsonObject): OtherNames {
  const unknown: Record<string, unknown> = Object.create(null);
  let misspelled: Map<Field, string[]> | undefined;
  for (const name of Object.keys(payload)) {
    if (FIELD_BY_WIRE.has(name)) continue;
    const field = fieldMeant(name);
    if (field === undefined) {
      unknown[name] = payload[name];
    } else {
      misspelled ??= new Map();
      misspelled.set(field, [...(misspelled.get(field) ?? []), name]);
    }
  }
  return { unknown, misspelled };
}

/** Adds what only shows when the columns are seen together. */
function finish(columns: Columns, warnings: Warning[], unknown: Record<string, unknown>): Normalised {
  const { occurred_at: occurredAt, ...rest } = columns;
  // Each column holds what the reader of its kind gave out, and each required one was there.
  const reservation = rest as Reservation;
  if (!agrees(reservation.event_type, reservation.reservation_state)) {
    warnings.push('reservation_state:disagrees_with_event_type');
  }
  if (reservation.end_utc < reservation.start_utc) warnings.push('end_utc:before_start');
  const extra = Object.keys(unknown).length === 0 ? undefined : canonicalText(unknown);
  if (extra?.replaced) warnings.push('extra:replaced_characters');
  if (extra?.cutOff) warnings.push('extra:too_deep');
  return { reservation, occurredAt: occurredAt as string | null, warnings, extra: extra?.text ?? null };
}

/** The column that a name of the payload fills. */
function columnOf(name: string): EventColumn | 'extra' {
  return (FIELD_BY_WIRE.get(name) ?? fieldMeant(name))?.column ?? 'extra';
}
