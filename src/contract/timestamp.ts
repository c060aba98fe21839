/**
 * Parses timestamps and calendar dates as PMSs write them. Date.parse is not used: it rolls 30 February over into March
 * and reads a missing zone as the local one. Pure.
 */

const DATE = String.raw`(\d{4})-(\d\d)-(\d\d)`;
const TIME = String.raw`(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?`;
const OFFSET = String.raw`[+-]\d\d(?::?\d\d)?`;
/** The form that nearly every sender uses. */
const TIMESTAMP = new RegExp(`^${DATE}[Tt ]${TIME}([Zz]|${OFFSET})?$`);

/** The basic format of ISO 8601, without hyphens and colons. */
const BASIC_DATE = String.raw`(\d{4})(\d\d)(\d\d)`;
const BASIC_TIME = String.raw`(\d\d)(\d\d)(?:(\d\d)(?:[.,](\d+))?)?`;
/** Offsets as Ruby (` +0200`) and logs (` UTC`) write them, and the suffix of RFC 9557: `[Europe/Prague]`. */
const LOOSE_ZONE = String.raw` ?([Zz]|UTC|${OFFSET})?((?:\[[^\[\]]*\])*)`;
const LOOSE_TIMESTAMP = new RegExp(`^${DATE}[Tt ]${TIME}${LOOSE_ZONE}$`);
const BASIC_TIMESTAMP = new RegExp(`^${BASIC_DATE}[Tt]${BASIC_TIME}${LOOSE_ZONE}$`);

const DATE_ONLY = new RegExp(`^${DATE}$`);
/** Never a day or month first: the century would be the month. */
const BASIC_DATE_ONLY = new RegExp(`^${BASIC_DATE}$`);
const NO_TIME = /^\d{4}-?\d\d-?\d\d$/;
const NO_DATE = new RegExp(`^[Tt]?${TIME}${LOOSE_ZONE}$`);
const DIGITS = /^-?\d+(?:\.\d+)?$/;

/** The format of every timestamp column. */
export const STORED_TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** The format of every date column. */
export const STORED_DATE = /^\d{4}-\d\d-\d\d$/;

/** Earlier years are the null values of other systems (0001, 1753), never a stay or a birth date. */
export const MIN_YEAR = 1900;
/** The last year that ISO 8601 writes in four digits. An open-ended stay is often written as its last moment. */
export const MAX_YEAR = 9999;
const LAST_MOMENT = `${MAX_YEAR}-12-31T23:59:59.999Z`;

/** A point in time, in the format of every timestamp column, and whether the sender named its zone. */
export interface Timestamp {
  /** `YYYY-MM-DDTHH:MM:SS.sssZ`, UTC. */
  readonly utc: string;
  readonly hasZone: boolean;
  /** Whether it is past 9999 in UTC, as an open end west of Greenwich is. `utc` is then the last moment of 9999. */
  readonly isClamped: boolean;
}

export type TimestampFault =
  | 'not_iso_8601'
  | 'number'
  | 'no_date'
  | 'no_time'
  | 'no_such_day'
  | 'no_such_time'
  | 'no_such_offset'
  | 'zone_without_offset'
  | 'year_out_of_range';

/**
 * Parses an ISO 8601 date and time, separated by `T`, `t` or a blank, in the extended or the basic format
 * (`YYYYMMDDTHHMMSSZ`). `Z`, `UTC`, `±HH:MM`, `±HHMM` or `±HH` may follow, with or without a blank before it, and then
 * any text in brackets (RFC 9557). Fraction digits are cut to milliseconds, surrounding blanks are ignored, and a
 * missing zone means UTC.
 *
 * @returns The fault of anything else: impossible dates, 24:00, second 60, years before 1900 as written or in UTC, a
 * date alone, a number, a zone in brackets without an offset.
 */
export function parseTimestamp(text: string): Timestamp | TimestampFault {
  const read = readWritten(text);
  if (typeof read === 'string') return read;
  const { written, offsetMinutes, hasZone } = read;
  if (offsetMinutes === 0) return { utc: written, hasZone, isClamped: false };
  const utc = shift(written, -offsetMinutes);
  if (utc !== undefined) return { utc, hasZone, isClamped: false };
  return offsetMinutes < 0 ? { utc: LAST_MOMENT, hasZone, isClamped: true } : 'year_out_of_range';
}

/** A timestamp in the zone in which it was written. */
interface Written {
  readonly written: string;
  readonly offsetMinutes: number;
  readonly hasZone: boolean;
}

function readWritten(text: string): Written | TimestampFault {
  const match = TIMESTAMP.exec(text) ?? matchLoosely(text.trim());
  if (match === null) return whatIsWrong(text.trim());
  const [, year = '', month = '', day = '', hour = '', minute = '', second = '00', fraction = '', zone, tags = ''] =
    match;
  if (zone === undefined && tags !== '') return 'zone_without_offset';
  const fault = faultOfDate(year, month, day);
  if (fault !== undefined) return fault;
  if (hour > '23' || minute > '59' || second > '59') return 'no_such_time';
  const offsetMinutes = parseOffset(zone ?? 'Z');
  if (offsetMinutes === undefined) return 'no_such_offset';
  const date = `${year}-${month}-${day}`;
  const time = `${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
  // join() rather than `+`: JSON.stringify takes several times as long for an object that holds a concatenated string.
  const written = STORED_TIMESTAMP.test(text) ? text : [date, time].join('T');
  return { written, offsetMinutes, hasZone: zone !== undefined };
}

function matchLoosely(text: string): RegExpExecArray | null {
  return LOOSE_TIMESTAMP.exec(text) ?? BASIC_TIMESTAMP.exec(text);
}

function whatIsWrong(text: string): TimestampFault {
  if (NO_TIME.test(text)) return 'no_time';
  if (NO_DATE.test(text)) return 'no_date';
  return DIGITS.test(text) ? 'number' : 'not_iso_8601';
}

/** Moves a timestamp by some minutes. Undefined when the result is outside the years that can be stored. */
function shift(utc: string, minutes: number): string | undefined {
  const moved = new Date(Date.parse(utc) + minutes * 60_000);
  const year = moved.getUTCFullYear();
  return year >= MIN_YEAR && year <= MAX_YEAR ? moved.toISOString() : undefined;
}

/**
 * Parses a calendar date, in the extended or the basic format (`YYYYMMDD`), or takes the date part of a timestamp as
 * written, whatever its zone: a birthday does not depend on the zone.
 *
 * @returns `YYYY-MM-DD`, or undefined.
 */
export function parseDate(text: string): string | undefined {
  const match = DATE_ONLY.exec(text.trim().replace(BASIC_DATE_ONLY, '$1-$2-$3'));
  if (match !== null) {
    const [date, year = '', month = '', day = ''] = match;
    return faultOfDate(year, month, day) === undefined ? date : undefined;
  }
  const read = readWritten(text);
  return typeof read === 'string' ? undefined : read.written.slice(0, 10);
}

/** Minutes east of UTC. Undefined for an offset out of range (RFC 3339 section 5.6). */
function parseOffset(zone: string): number | undefined {
  if (zone === 'Z' || zone === 'z' || zone === 'UTC') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', ''));
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/** Why a year, month and day are not a date of the Gregorian calendar that can be stored. Undefined when they are. */
function faultOfDate(yearText: string, monthText: string, dayText: string): TimestampFault | undefined {
  const [year, month, day] = [Number(yearText), Number(monthText), Number(dayText)];
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 && isLeapYear ? 29 : (DAYS_IN_MONTH[month - 1] ?? 0);
  if (day < 1 || day > days) return 'no_such_day';
  return year < MIN_YEAR ? 'year_out_of_range' : undefined;
}
