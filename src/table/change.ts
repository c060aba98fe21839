/** A change of the table, before it is committed. */

import type { DataFile } from '../storage/iceberg/manifest.ts';
import type { Snapshot } from '../storage/iceberg/table.ts';

/** What a snapshot does. */
export interface Change {
  /** `append`: new rows. `replace`: the same rows in other files. `overwrite`: other rows. */
  readonly operation: Snapshot['summary']['operation'];
  readonly add: readonly DataFile[];
  readonly remove: readonly DataFile[];
  /** How far the table follows the log of parts with it; undefined when as far as before. */
  readonly log?: { readonly from: number; readonly through: number };
  /** Up to when the rows are complete, when that changes; `YYYY-MM-DDTHH:MM:SS.sssZ`. */
  readonly completeThrough?: string | undefined;
  /** Whether the snapshots before show what is erased or hidden now. */
  readonly erases?: boolean;
}
