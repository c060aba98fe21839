/** Packing lines, most of which stay as they are. */

import { linesOfBlock } from '../storage/line-bytes.ts';
import type { Gzip } from './gzip.ts';

/**
 * Packs the lines of a block.
 *
 * @param change - Gives what is packed in place of a line: the line itself, another one, or nothing.
 */
export async function writeLines(
  gzip: Pick<Gzip, 'write'>,
  block: Uint8Array,
  change: (line: Uint8Array) => Uint8Array | undefined,
): Promise<void> {
  let kept = 0;
  let at = 0;
  for (const line of linesOfBlock(block)) {
    const next = change(line);
    if (next !== line) {
      // What stands before it goes out in one piece.
      if (kept < at) await gzip.write(block.subarray(kept, at));
      if (next !== undefined) await gzip.write(next);
      kept = at + line.length;
    }
    at += line.length;
  }
  if (kept < at) await gzip.write(block.subarray(kept, at));
}
