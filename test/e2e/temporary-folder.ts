/** One folder for whatever the tests of a run and the processes that they start write, removed when the run is over. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Makes the folder, and returns how to remove it. */
export async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'reservation-events-'));
  process.env.TMPDIR = folder;
  // A service that is ending may still write.
  return () => rm(folder, { recursive: true, maxRetries: 10, retryDelay: 200 });
}
