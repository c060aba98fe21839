/**
 * Reads a value that a PMS sent, by the kind of its field: strict on meaning, tolerant of notation. Pure.
 */

import { InexactNumber } from '../json/inexact-number.ts';
import { loadableText } from '../json/loadable-text.ts';
import type { Field } from './fields.ts';
import { type FieldErrorCode, MAX_COUNT } from './kinds.ts';
import { languageTag } from './language-tag.ts';
import { parseDate, parseTimestamp, type TimestampFault } from './timestamp.ts';

/** What the sender should know about a value that is stored. */
export type ReadWarning =
  | 'number_as_text'
  | 'text_as_number'
  | 'replaced_characters'
  | 'no_zone'
  | 'not_a_language_tag'
  | 'not_a_country_code'
  | 'looks_empty'
  | 'unfilled_template'
  | 'beyond_9999';

/** A stored value with warnings. */
interface ReadWithWarnings {
  readonly value: string | number;
  readonly warnings: readonly ReadWarning[];
}

export interface Unusable {
  readonly code: FieldErrorCode;
  /** Why a timestamp cannot be used, or that a placeholder of a template was sent. */
  readonly cause?: TimestampFault | 'unfilled_template';
}

/** The value as it is stored, in rare cases with warnings, or why it cannot be stored. */
export type ReadValue = string | number | ReadWithWarnings | Unusable;

/** Reads a value that is neither null nor blank. */
export function readValue(field: Field, sent: unknown): ReadValue {
  switch (field.kind) {
    case 'text':
      return readNamed(field, sent);
    case 'nationality':
      return readNationality(sent);
    case 'language':
      return readLanguage(sent);
    case 'timestamp':
      return readTimestamp(sent);
    case 'date':
      return (typeof sent === 'string' ? parseDate(sent) : undefined) ?? { code: 'not_a_date' };
    case 'count':
      return readCount(sent);
    case 'choice':
      return typeof sent === 'string' && field.allowed?.includes(sent) ? sent : { code: 'not_allowed' };
  }
}

/** Whether a value counts as not sent, as null and a blank string do. */
export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '');
}

export function isUnusable(read: ReadValue): read is Unusable {
  return typeof read === 'object' && 'code' in read;
}

function readText(sent: unknown): ReadValue {
  if (typeof sent === 'string') {
    const loadable = loadableText(sent);
    return loadable === sent ? sent : { value: loadable, warnings: ['replaced_characters'] };
  }
  if (typeof sent === 'number' && Number.isSafeInteger(sent)) {
    return { value: String(sent), warnings: ['number_as_text'] };
  }
  return { code: sent instanceof InexactNumber ? 'inexact_number' : 'wrong_type' };
}

/** Text columns that people fill in. All others hold identifiers. */
const WRITTEN = new Set(['first_name', 'last_name', 'email', 'phone', 'staff_comment']);

/** What programs write in place of a missing value. */
const LOOKS_EMPTY = /^\s*(?:null|nil|none|undefined|unknown|nan|n\/a|n\.a\.|tbd|-+|\?+)\s*$/i;
const MAX_LOOKS_EMPTY_LENGTH = 16;

const TEMPLATE = /^\s*(?:\{\{.*\}\}|\$\{.*\}|<%.*%>)\s*$/s;
const MAX_TEMPLATE_LENGTH = 256;

/** Whether a value is a template placeholder that was not filled in. */
export function isTemplate(value: unknown): boolean {
  return typeof value === 'string' && value.length <= MAX_TEMPLATE_LENGTH && TEMPLATE.test(value);
}

function readNamed({ column }: Field, sent: unknown): ReadValue {
  const read = readText(sent);
  if (typeof read !== 'string') return read;
  if (isTemplate(read)) return warn(read, 'unfilled_template');
  const looksEmpty = read.length <= MAX_LOOKS_EMPTY_LENGTH && !WRITTEN.has(column) && LOOKS_EMPTY.test(read);
  return looksEmpty ? warn(read, 'looks_empty') : read;
}

function readNationality(sent: unknown): ReadValue {
  const read = readText(sent);
  return typeof read === 'string' && /^[A-Za-z]{2,3}$/.test(read)
    ? read.toUpperCase()
    : warn(read, 'not_a_country_code');
}

function readLanguage(sent: unknown): ReadValue {
  const read = readText(sent);
  return (typeof read === 'string' ? languageTag(read) : undefined) ?? warn(read, 'not_a_language_tag');
}

function warn(read: ReadValue, warning: ReadWarning): ReadValue {
  if (typeof read !== 'object') return { value: read, warnings: [warning] };
  return isUnusable(read) ? read : { value: read.value, warnings: [...read.warnings, warning] };
}

function readTimestamp(sent: unknown): ReadValue {
  const timestamp = typeof sent === 'string' ? parseTimestamp(sent) : causeOf(sent);
  if (typeof timestamp === 'string') return { code: 'not_a_timestamp', cause: timestamp };
  if (timestamp.isClamped) return { value: timestamp.utc, warnings: ['beyond_9999'] };
  return timestamp.hasZone ? timestamp.utc : { value: timestamp.utc, warnings: ['no_zone'] };
}

function causeOf(sent: unknown): TimestampFault {
  return typeof sent === 'number' || sent instanceof InexactNumber ? 'number' : 'not_iso_8601';
}

function readCount(sent: unknown): ReadValue {
  if (typeof sent === 'string') {
    const count = /^\d+$/.test(sent) ? Number(sent) : undefined;
    return isCount(count) ? { value: count, warnings: ['text_as_number'] } : { code: 'not_a_count' };
  }
  // Adding 0 turns -0 into 0.
  return isCount(sent) ? sent + 0 : { code: 'not_a_count' };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_COUNT;
}
