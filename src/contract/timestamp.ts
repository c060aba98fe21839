/**
 * Points in time and calendar dates as PMSs write them. Date.parse is not used: it rolls 30 February over into March
 * and reads a missing zone as the machine's own. Pure.
 */

const DATE = String.raw`(\d{4})-(\d\d)-(\d\d)`;
const TIME = String.raw`(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?`;
const ZONE = String.raw`([Zz]|[+-]\d\d(?::?\d\d)?)?`;
const TIMESTAMP = new RegExp(`^${DATE}[Tt ]${TIME}${ZONE}$`);
const DATE_ONLY = new RegExp(`^${DATE}$`);

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
  const match = TIMESTAMP.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second = '0', fraction = '', zone] = match;
  const offsetMinutes = parseOffset(zone ?? 'Z');
  if (!isDate(Number(year), Number(month), Number(day)) || offsetMinutes === undefined) return undefined;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'));
  const utc = new Date(
    Date.UTC(
      Number(year),
      Number(month) - 1,
      Number(day),
      Number(hour),
      Number(minute) - offsetMinutes,
      Number(second),
      milliseconds,
    ),
  );
  if (utc.getUTCFullYear() < MIN_YEAR || utc.getUTCFullYear() > MAX_YEAR) return undefined;
  return { utc: utc.toISOString(), hasZone: zone !== undefined };
}

/**
 * Reads a calendar date, or the date part of a date and time as it is written, whatever its zone: a birthday does not
 * move with the clock.
 *
 * @returns `YYYY-MM-DD`, or undefined.
 */
export function parseDate(text: string): string | undefined {
  const match = DATE_ONLY.exec(text);
  if (match === null) return parseTimestamp(text) === undefined ? undefined : text.slice(0, 10);
  return isDate(Number(match[1]), Number(match[2]), Number(match[3])) ? text : undefined;
}

/** Minutes east of UTC, or undefined for an offset that no clock shows (RFC 3339 section 5.6). */
function parseOffset(zone: string): number | undefined {
  if (zone === 'Z' || zone === 'z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(3).replace(':', ''));
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}

/** Whether the day exists in the Gregorian calendar and is not another system's empty value. */
function isDate(year: number, month: number, day: number): boolean {
  return (
    year >= MIN_YEAR && month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate()
  );
}
