/** What loaders follow and keep: entries of the log of published objects, and watermarks. Pure. */

import { EVENTS_PREFIX, LOG_PREFIX, PARQUET_LOG_PREFIX, PARQUET_PREFIX } from '../../storage/keys.ts';
import type { Types } from './columns.ts';

/** Objects of one kind that a loader can follow by their log. */
export interface Feed {
  readonly prefix: string;
  readonly log: string;
  /** Where the objects are below a day. */
  readonly names: string;
  readonly format: 'ndjson' | 'parquet';
  /** The table of loaded entries: each log counts for itself. */
  readonly parts: string;
}

/** Parts: minutes to hours old. */
export const NDJSON: Feed = {
  prefix: EVENTS_PREFIX,
  log: LOG_PREFIX,
  names: 'hour=*/*.ndjson.gz',
  format: 'ndjson',
  parts: 'event_parts',
};

/** Complete days: loaded faster, after the end of each day. */
export const PARQUET: Feed = {
  prefix: PARQUET_PREFIX,
  log: PARQUET_LOG_PREFIX,
  names: '*.parquet',
  format: 'parquet',
  parts: 'parquet_parts',
};

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

/** Columns with their types, separated by commas. */
export function typed(columns: Readonly<Record<string, keyof Types>>, types: Types, between = ' '): string {
  return Object.entries(columns)
    .map(([name, type]) => `${name}${between}${types[type]}`)
    .join(', ');
}

/** Their names, separated by commas. */
export function namesOf(columns: Readonly<Record<string, keyof Types>>): string {
  return Object.keys(columns).join(', ');
}
