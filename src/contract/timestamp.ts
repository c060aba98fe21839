/**
 * Points in time and calendar dates as PMSs write them. Date.parse is not used: it rolls 30 February over into March
 * and reads a missing zone as the machine's own. Pure.
 */

const DATE = String.raw`(\d{4})-(\d\d)-(\d\d)`;
const TIME = String.raw`(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?`;
const ZONE = String.raw`([Zz]|[+-]\d\d(?::?\d\d)?)?`;
const TIMESTAMP = new RegExp(`^${DATE}[Tt ]${TIME}${ZONE}$`);
const DATE_ONLY = new RegExp(`^${DATE}$`);

/** How every timestamp column is spelled. */
export const STORED_TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** How every date column is spelled. */
export const STORED_DATE = /^\d{4}-\d\d-\d\d$/;

/** Years before this one are the empty values of other systems (0001, 1753), never a stay or a guest. */
const MIN_YEAR = 1900;
/** ISO 8601 with four digits ends here; an open-ended stay is often written as the last moment of it. */
const MAX_YEAR = 9999;

/** A point in time in the one spelling of every timestamp column, and whether the sender said in which zone it is. */
export interface Timestamp {
  /** `YYYY-MM-DDTHH:MM:SS.sssZ`, UTC. */
  readonly utc: string;
  readonly hasZone: boolean;
}

/**
 * Reads an ISO 8601 date and time: `T`, `t` or a blank between them; `Z`, `±HH:MM`, `±HHMM` or `±HH` behind; any number
 * of fraction digits, cut to milliseconds. Without a zone it is UTC.
 *
 * @returns undefined for anything else: impossible dates, 24:00, second 60, years outside 1900 to 9999 as written or
 * in UTC, a date alone.
 */
export function parseTimestamp(text: string): Timestamp | undefined {
  const read = readTimestamp(text);
  if (read === undefined) return undefined;
  const { written, offsetMinutes, hasZone } = read;
  const utc = offsetMinutes === 0 ? written : shift(written, -offsetMinutes);
  return utc === undefined ? undefined : { utc, hasZone };
}

/** Reads a timestamp, and leaves it in its zone. */
function readTimestamp(text: string): { written: string; offsetMinutes: number; hasZone: boolean } | undefined {
  const match = TIMESTAMP.exec(text);
  if (match === null) return undefined;
  const [, year = '', month = '', day = '', hour = '', minute = '', second = '00', fraction = '', zone] = match;
  const offsetMinutes = parseOffset(zone ?? 'Z');
  if (!isDate(year, month, day) || offsetMinutes === undefined) return undefined;
  if (hour > '23' || minute > '59' || second > '59') return undefined;
  const written = `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
  return { written, offsetMinutes, hasZone: zone !== undefined };
}

/** Moves a timestamp by some minutes, or nowhere when that leaves the years that can be stored. */
function shift(utc: string, minutes: number): string | undefined {
  const moved = new Date(Date.parse(utc) + minutes * 60_000);
  const year = moved.getUTCFullYear();
  return year >= MIN_YEAR && year <= MAX_YEAR ? moved.toISOString() : undefined;
}

/**
 * Reads a calendar date, or the date part of a date and time as it is written, whatever its zone: a birthday does not
 * move with the clock.
 *
 * @returns `YYYY-MM-DD`, or undefined.
 */
export function parseDate(text: string): string | undefined {
  const match = DATE_ONLY.exec(text);
  if (match === null) return readTimestamp(text)?.written.slice(0, 10);
  const [, year = '', month = '', day = ''] = match;
  return isDate(year, month, day) ? text : undefined;
}

/** Minutes east of UTC, or undefined for an offset that no clock shows (RFC 3339 section 5.6). */
function parseOffset(zone: string): number | undefined {
  if (zone === 'Z' || zone === 'z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', ''));
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/** Whether the day exists in the Gregorian calendar and is not another system's empty value. */
function isDate(yearText: string, monthText: string, dayText: string): boolean {
  const [year, month, day] = [Number(yearText), Number(monthText), Number(dayText)];
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 && isLeapYear ? 29 : (DAYS_IN_MONTH[month - 1] ?? 0);
  return year >= MIN_YEAR && day >= 1 && day <= days;
}
