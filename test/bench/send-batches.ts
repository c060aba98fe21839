/** Batches that come in while something else is measured in the same isolate. */

import { LOADS } from './intake.ts';

const AT_ONCE = 8;
const { body, path, token, status } = LOADS['batch of 1,000 full events'];

/**
 * Posts eight full batches at a time, again and again, to a Worker that takes them.
 *
 * @returns What ends it.
 */
export function sendBatches(origin: string): () => Promise<void> {
  let running = true;
  async function post(): Promise<void> {
    while (running) {
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/x-ndjson' };
      const response = await fetch(origin + path, { method: 'POST', headers, body });
      await response.text();
      if (response.status !== status) throw new Error(`Cannot measure: a batch was answered ${response.status}`);
    }
  }
  const posting = Promise.all(Array.from({ length: AT_ONCE }, post));
  // It is awaited when they are to end.
  posting.catch(() => undefined);
  return async () => {
    running = false;
    await posting;
  };
}
