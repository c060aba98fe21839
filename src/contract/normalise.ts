/** Turns a payload into the columns of a row: strict on required fields, tolerant everywhere else. Pure. */

import { canonicalText } from '../json/canonical-text.ts';
import type { JsonObject } from '../json/parse-plainly.ts';
import { fail, ok, type Result } from '../result.ts';
import { chooseValue } from './choose-value.ts';
import { FIELD_BY_WIRE, FIELDS, type Field } from './fields.ts';
import type { FieldErrorCode } from './kinds.ts';
import { fieldMeant } from './names.ts';
import { isAbsent, isTemplate, isUnusable, type ReadWarning, readValue, type Unusable } from './read-value.ts';
import type { EventColumn, Reservation } from './reservation.ts';
import { stateAgrees } from './values.ts';

/** A required field that is missing or unusable. */
export interface FieldError extends Unusable {
  readonly field: Field;
  /** The name under which the value was sent, which is not always the field's own. */
  readonly sentAs: string;
}

/** Why a payload was refused. */
export interface Breach {
  /** The errors of all required fields, in column order. */
  readonly errors: readonly FieldError[];
  /** The payload as sent. Its fields may be nested in it: src/contract/wrapping.ts finds them. */
  readonly payload: JsonObject;
}

/** Something that the sender should correct, although the event is stored. */
export type WarningCode =
  | ReadWarning
  | FieldErrorCode
  | 'misspelled_name'
  | 'two_names'
  | 'repeated_name'
  | 'too_deep'
  | 'before_start'
  | 'in_the_future'
  | 'disagrees_with_event_type';

/** A column and its warning, spelled as in the row and the answer. */
export type Warning = `${EventColumn | 'extra'}:${WarningCode}`;

/** The content of a payload, as it is stored. */
export interface Normalised {
  readonly reservation: Reservation;
  /** The time of the event according to the body. */
  readonly occurredAt: string | null;
  readonly warnings: readonly Warning[];
  /** Canonical JSON text of an object: unknown fields and the originals of unusable values, by their wire names. */
  readonly extra: string | null;
}

type Columns = Record<string, string | number | null>;

const RESERVATION_FIELDS = FIELDS.filter(({ column }) => column !== 'occurred_at');
const WHEN_IT_HAPPENED = FIELDS.filter(({ column }) => column === 'occurred_at');

/** The columns of a new row, all null. JSON.parse makes objects that are fast to copy and to set properties on. */
const NO_COLUMNS: Readonly<Columns> = nothingOf(RESERVATION_FIELDS);

function nothingOf(fields: readonly Field[]): Columns {
  return JSON.parse(JSON.stringify(Object.fromEntries(fields.map(({ column }) => [column, null]))));
}

interface Findings {
  readonly payload: JsonObject;
  readonly warnings: Warning[];
  readonly errors: FieldError[];
  /** Values that no column holds. Undefined when there are none. */
  extra: Record<string, unknown> | undefined;
  /** Misspelled names, by the field that they mean. Undefined when there are none, as in nearly every event. */
  misspelled: Map<Field, string[]> | undefined;
}

/**
 * Turns the payload of one event into the columns of its row.
 *
 * @param repeated - The names that occur in the payload more than once, or whose values contain repeated names.
 * @returns The columns, or the errors of all required fields. An unusable optional value is not an error: its column is
 * null, the original goes to `extra` and a warning names it.
 */
export function normalise(payload: JsonObject, repeated: readonly string[] = []): Result<Normalised, Breach> {
  const findings: Findings = { payload, warnings: [], errors: [], extra: undefined, misspelled: undefined };
  sortOtherNames(findings);
  const columns = { ...NO_COLUMNS };
  for (const field of RESERVATION_FIELDS) columns[field.column] = take(field, findings);
  const [occurredAt = null] = WHEN_IT_HAPPENED.map((field) => take(field, findings) as string | null);
  const { errors, warnings } = findings;
  if (errors.length > 0) return fail({ errors, payload });
  for (const column of new Set([...new Set(repeated)].map(columnOf))) warnings.push(`${column}:repeated_name`);
  // readValue() returned each value by the kind of its column, and no required field is missing.
  const reservation = columns as Reservation;
  compareColumns(reservation, warnings);
  return ok({ reservation, occurredAt, warnings, extra: writeExtra(findings) });
}

/** Reads the value of a field and records what it finds. Null where there is no usable value. */
function take(field: Field, findings: Findings): string | number | null {
  const { payload, warnings, errors, misspelled } = findings;
  const { column, wire } = field;
  const others = misspelled?.get(field);
  const chosen = others === undefined ? undefined : chooseValue(field, payload, others);
  const sentAs = chosen?.sentAs ?? wire;
  const sent = payload[sentAs];
  if (isAbsent(sent)) {
    if (field.required) errors.push({ field, sentAs, code: 'missing' });
    return null;
  }
  if (chosen !== undefined) {
    for (const code of chosen.warnings) warnings.push(`${column}:${code}`);
    for (const name of chosen.setAside) setAside(findings, name, payload[name]);
  }
  const read = readValue(field, sent);
  if (typeof read !== 'object') return read;
  if (!isUnusable(read)) {
    for (const code of read.warnings) warnings.push(`${column}:${code}`);
    if (read.warnings.includes('beyond_9999')) setAside(findings, wire, sent);
    return read.value;
  }
  if (field.required) {
    errors.push({ field, sentAs, ...read, ...(isTemplate(sent) && { cause: 'unfilled_template' }) });
  } else {
    setAside(findings, wire, sent);
    warnings.push(`${column}:${read.code}`);
  }
  return null;
}

function setAside(findings: Findings, name: string, value: unknown): void {
  // Without a prototype, so that a field named __proto__ is stored like any other.
  findings.extra ??= Object.create(null) as Record<string, unknown>;
  findings.extra[name] = value;
}

/** Sorts the names that are not in the contract into misspelled and unknown ones. */
function sortOtherNames(findings: Findings): void {
  const { payload } = findings;
  for (const name of Object.keys(payload)) {
    if (FIELD_BY_WIRE.has(name)) continue;
    const field = fieldMeant(name);
    if (field === undefined) {
      setAside(findings, name, payload[name]);
    } else {
      findings.misspelled ??= new Map();
      const others = findings.misspelled.get(field);
      if (others === undefined) findings.misspelled.set(field, [name]);
      else others.push(name);
    }
  }
}

/** Adds the warnings that depend on several columns. */
function compareColumns(reservation: Reservation, warnings: Warning[]): void {
  if (!stateAgrees(reservation.event_type, reservation.reservation_state)) {
    warnings.push('reservation_state:disagrees_with_event_type');
  }
  if (reservation.end_utc < reservation.start_utc) warnings.push('end_utc:before_start');
}

function writeExtra({ extra, warnings }: Findings): string | null {
  if (extra === undefined) return null;
  const { text, replaced, cutOff } = canonicalText(extra);
  if (replaced) warnings.push('extra:replaced_characters');
  if (cutOff) warnings.push('extra:too_deep');
  return text;
}

/** The column that a name of the payload fills. */
function columnOf(name: string): EventColumn | 'extra' {
  return (FIELD_BY_WIRE.get(name) ?? fieldMeant(name))?.column ?? 'extra';
}
