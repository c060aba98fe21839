/**
 * The settings for guest data in [vars]. They are read where needed and not with the others, so that a fault in them
 * stops no event.
 */

/** Minimum length of PSEUDONYM_KEY in characters: a shorter key could be found by brute force. */
export const MIN_PSEUDONYM_KEY = 32;

const GUEST_COLUMNS = ['kept', 'left_out', 'pseudonyms'] as const;

/** How the table shows personal columns. */
export type GuestColumns = (typeof GUEST_COLUMNS)[number];

/** Absent means the default. */
interface GuestVars {
  readonly TABLE_GUEST_COLUMNS?: string;
  readonly KEEP_GUEST_COLUMNS_DAYS?: string;
}

/**
 * Reads TABLE_GUEST_COLUMNS.
 *
 * @throws When it has another value.
 */
export function readGuestColumns({ TABLE_GUEST_COLUMNS: text = 'kept' }: GuestVars): GuestColumns {
  const columns = GUEST_COLUMNS.find((name) => name === text);
  if (columns !== undefined) return columns;
  const allowed = GUEST_COLUMNS.map((name) => `"${name}"`).join(', ');
  throw new Error(
    `Cannot write the table: TABLE_GUEST_COLUMNS has to be one of ${allowed}; correct [vars] of this environment in wrangler.toml`,
  );
}

/**
 * How many days `events/` keeps guest columns; undefined means without limit.
 *
 * @throws When KEEP_GUEST_COLUMNS_DAYS is not a number of days.
 */
export function readKeepDays({ KEEP_GUEST_COLUMNS_DAYS: text = '' }: GuestVars): number | undefined {
  if (text === '') return undefined;
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text);
  throw new Error(
    'Cannot erase guests whose time is over: KEEP_GUEST_COLUMNS_DAYS has to be a whole number of days from 1 to 99999, as in KEEP_GUEST_COLUMNS_DAYS = "1095", or "" to keep them without limit; correct [vars] of this environment in wrangler.toml',
  );
}
