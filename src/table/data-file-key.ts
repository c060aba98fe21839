/** The names of data files, which carry what a run has to know of a file without reading it. Pure. */

import { TABLE_DATA } from '../storage/iceberg/table.ts';

/**
 * `open`: the file can be merged with others. `full`: it has as many rows as files get. `split`: one of its parts was
 * too large and is in other files too.
 */
export type Fullness = 'open' | 'full' | 'split';

export interface DataFileName {
  /** A UUIDv7: the attempt that wrote the file. Files of the same attempt differ in `number`. */
  readonly attempt: string;
  readonly number: number;
  /** `YYYY-MM-DD`. */
  readonly day: string;
  /** How guests are shown in it; the mark of createGuests(). */
  readonly guests: string;
  readonly fullness: Fullness;
}

const NAME =
  /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})-(\d+)-(\d{4}-\d\d-\d\d)-([a-z_]+(?:-[\da-f]+)?)-(open|full|split)\.parquet$/;

export function dataFileKey({ attempt, number, day, guests, fullness }: DataFileName): string {
  return `${TABLE_DATA}${attempt}-${number}-${day}-${guests}-${fullness}.parquet`;
}

/**
 * Parses the name of a data file.
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

/** The attempt in the name of an object of the table; undefined when the name has none. */
export function attemptIn(key: string): string | undefined {
  return /\/([\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[\da-f]{4}-[\da-f]{12})-[^/]*$/.exec(key)?.[1];
}
