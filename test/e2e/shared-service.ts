/** One service for all test files of a process: starting it takes longer than most of them. */

import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pMap from 'p-map';
import { type LocalService, startLocal } from '../../src/cli/local-service.ts';
import { createObjectStore } from '../../src/cli/object-store.ts';

let started: Promise<LocalService> | undefined;

/** The token of a sender that takes nothing but 200 for a success. */
export const STRICT_TOKEN = 'a-token-of-a-sender-that-takes-200-only';

const API_TOKENS = JSON.stringify({ strict: { tokens: [STRICT_TOKEN], accepted_status: 200 } });

/**
 * The running service, with empty queues and an empty bucket. It ends with the process.
 *
 * @throws When messages of an earlier file do not leave the queues.
 */
export async function sharedService(): Promise<LocalService> {
  started ??= mkdtemp(join(tmpdir(), 'service-')).then((stateDir) =>
    startLocal({ stateDir, show: false, vars: { API_TOKENS } }),
  );
  const service = await started;
  const left = await service.drain();
  if (left > 0) throw new Error(`Cannot empty the queues for the next test file: ${left} message(s) are left`);
  const store = createObjectStore(service.store);
  const objects = await Array.fromAsync(store.list(''));
  await pMap(objects, ({ key }) => store.delete(key), { concurrency: 16 });
  return service;
}
