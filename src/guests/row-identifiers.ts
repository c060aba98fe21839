/** By what a guest is found in a row, and whether it is the row's own guest or one who is only named in it. Pure. */

import { fieldMeant } from '../contract/names.ts';
import { type Hotel, identifiersOf, parseJson } from './identifiers.ts';

/** Columns in which anything may stand, other guests too. */
export const OPEN_COLUMNS = ['staff_comment', 'extra'] as const;

/** What was read of a row. */
export interface RowReading {
  /** By which the guest is known whose stay it is. */
  readonly own: ReadonlySet<string>;
  /** By which anybody is known who is named in {@link OPEN_COLUMNS}. */
  readonly named: ReadonlySet<string>;
  /** Whether more was in it than is read. */
  readonly isCut: boolean;
}

/** Names that another system gives to what it says of the guest of the stay, in letters alone and lower case. */
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
 * The members of `extra` that are about the guest of the row: originals that no column could take, and unknown fields
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

/** Whether a member at the top of `extra` is about the guest of the row, by its name. */
export function isOfTheGuest(name: string): boolean {
  if (fieldMeant(name) !== undefined) return true;
  return name.length <= MAX_NAME && OF_THE_GUEST.test(name.replace(/[^\p{L}]/gu, '').toLowerCase());
}

/** More members are looked through for guests, and none of them is taken for the guest's own. */
const MAX_MEMBERS = 1_000;

/** Longer names are not looked at, in characters. */
const MAX_NAME = 64;

export function hotelOf({ integration_id, property_id }: Readonly<Record<string, unknown>>): Hotel {
  return {
    integration: typeof integration_id === 'string' ? integration_id : null,
    property: typeof property_id === 'string' ? property_id : null,
  };
}
