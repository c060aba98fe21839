/** The names of data files, which say what a run has to know of a file without reading it. Pure. */

import { TABLE_DATA } from '../storage/iceberg/table.ts';

/**
 * Whether a file can be joined with others: `open`; or whether it has as many rows as files get: `full`; or whether one
 * of its parts was too large and is in other files too: `split`.
 */
export type Fullness = 'open' | 'full' | 'split';

export interface DataFileName {
  /** A UUIDv7: the attempt that has written the file. Others of the same attempt have another `number`. */
  readonly attempt: string;
  readonly number: number;
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** What is done with guests in it; the mark of createGuests(). */
  readonly guests: string;
  readonly fullness: Fullness;
}

const NAME =
  /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})-(\d+)-(\d{4}-\d\d-\d\d)-([a-z_]+(?:-[\da-f]+)?)-(open|full|split)\.parquet$/;

export function dataFileKey({ attempt, number, day, guests, fullness }: DataFileName): string {
  return `${TABLE_DATA}${attempt}-${number}-${day}-${guests}-${fullness}.parquet`;
}

/**
 * Reads the name of a data file.
 *
 * @param path - A key, or the address that a manifest has.
 */
export function parseDataFileName(path: string): DataFileName {
  const [, attempt, number, day, guests, fullness] = NAME.exec(path.slice(path.lastIndexOf('/') + 1)) ?? [];
  if (attempt === undefined || day === undefined || guests === undefined) {
    throw new Error(`Cannot tell what ${path} holds: no run of this service gives such names`);
  }
  return { attempt, number: Number(number), day, guests, fullness: fullness as Fullness };
}

/** The attempt that an object of the table is named for; undefined when it is named for none. */
export function attemptIn(key: string): string | undefined {
  return /\/([\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[\da-f]{4}-[\da-f]{12})-[^/]*$/.exec(key)?.[1];
}
