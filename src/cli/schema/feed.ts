/** What loaders follow and keep: entries of the log of published parts, and watermarks. Pure. */

import type { Types } from './columns.ts';

/** What loaders read and keep of an entry of the log. */
export const LOG_COLUMNS = {
  sequence: 'count',
  key: 'text',
  replaces: 'text',
  first_received_at: 'timestamp',
} as const satisfies Readonly<Record<string, keyof Types>>;

/** What loaders read and keep of the watermark. */
export const WATERMARK_COLUMNS = {
  complete_through: 'timestamp',
  updated_at: 'timestamp',
  log_sequence: 'count',
} as const satisfies Readonly<Record<string, keyof Types>>;

/** What a load says at its end while nothing says up to when the table is complete. */
export const NO_WATERMARK =
  'There is no watermark yet: the rows are loaded, and nothing says up to when they are complete';

/** Columns with their types, separated by commas. */
export function typed(columns: Readonly<Record<string, keyof Types>>, types: Types): string {
  return Object.entries(columns)
    .map(([name, type]) => `${name} ${types[type]}`)
    .join(', ');
}

/** Their names, separated by commas. */
export function namesOf(columns: Readonly<Record<string, keyof Types>>): string {
  return Object.keys(columns).join(', ');
}
