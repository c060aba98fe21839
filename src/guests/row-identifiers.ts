/** The identifiers in a row, and whether they belong to its own guest or to one who is only named in it. Pure. */

import { fieldMeant } from '../contract/names.ts';
import { type Hotel, identifiersOf, parseJson } from './identifiers.ts';

/** Columns that may contain anything, including other guests. */
export const OPEN_COLUMNS = ['staff_comment', 'extra'] as const;

export interface RowReading {
  /** Identifiers of the guest of the stay. */
  readonly own: ReadonlySet<string>;
  /** Identifiers of anybody named in {@link OPEN_COLUMNS}. */
  readonly named: ReadonlySet<string>;
  /** Whether it held more than is read. */
  readonly isCut: boolean;
}

/** Names that other systems use for members about the guest of the stay, reduced to letters and in lower case. */
const OF_THE_GUEST =
  /^(?:guest|customer|client|lead|main|primary|full)*(?:e?mail(?:address)?|phone(?:number)?|mobile(?:phone|number)?|(?:first|last|given|family|sur|middle|full)?name|birth(?:date|day)?|dateofbirth|dob)$/;

/** Reads a row of any schema version. */
export function readRow(row: Readonly<Record<string, unknown>>): RowReading {
  const hotel = hotelOf(row);
  const open = Object.fromEntries(OPEN_COLUMNS.map((column) => [column, row[column] ?? null]));
  const direct = Object.fromEntries(Object.entries(row).filter(([column]) => !(column in open)));
  const own = identifiersOf({ ...ownMembers(row.extra), ...direct }, hotel);
  const named = identifiersOf(open, hotel);
  return { own: own.found, named: named.found, isCut: own.isCut || named.isCut };
}

/**
 * The members of `extra` that are about the guest of the row: originals that no column could hold, and unknown fields
 * whose names say so.
 */
function ownMembers(extra: unknown): Record<string, unknown> {
  const value = typeof extra === 'string' ? parseJson(extra) : undefined;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return {};
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, MAX_MEMBERS)
      .filter(([name]) => isOfTheGuest(name)),
  );
}

/** Whether a top-level member of `extra` is about the guest of the row, by its name. */
export function isOfTheGuest(name: string): boolean {
  if (fieldMeant(name) !== undefined) return true;
  return name.length <= MAX_NAME && OF_THE_GUEST.test(name.replace(/[^\p{L}]/gu, '').toLowerCase());
}

/** Members beyond this number are searched for guests, but not attributed to the row's own guest. */
const MAX_MEMBERS = 1_000;

/** Maximum length of a name that is examined, in characters. */
const MAX_NAME = 64;

export function hotelOf({ integration_id, property_id }: Readonly<Record<string, unknown>>): Hotel {
  return {
    integration: typeof integration_id === 'string' ? integration_id : null,
    property: typeof property_id === 'string' ? property_id : null,
  };
}
