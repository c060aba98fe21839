/** A change of the table, before it is committed. */

import type { DataFile } from '../storage/iceberg/manifest.ts';
import type { Snapshot } from '../storage/iceberg/table.ts';

/** What a snapshot does. */
export interface Change {
  /** `append`: new rows. `replace`: the same rows in other files. `overwrite`: other rows. */
  readonly operation: Snapshot['summary']['operation'];
  readonly add: readonly DataFile[];
  readonly remove: readonly DataFile[];
  /** The last sequence of the part log that the table reflects with this change; undefined when it does not advance. */
  readonly through?: number | undefined;
  /** Up to when the rows are complete, if that changes; `YYYY-MM-DDTHH:MM:SS.sssZ`. */
  readonly completeThrough?: string | undefined;
  /** Whether earlier snapshots show what is erased or hidden now. */
  readonly erases?: boolean;
}

/** A change that can be committed, and how many rows and parts were read for it. */
export interface Step {
  readonly change: Change;
  readonly rows: number;
  readonly parts: number;
}
