/** One process at a time for a folder. */

import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Held until the process ends, however it ends: the system takes the lock of SQLite away with the process. */
const held: DatabaseSync[] = [];

/**
 * Takes a folder for this process, with a lock beside it.
 *
 * @throws When another process has it; the message names that process.
 */
export function lockFolder(folder: string): void {
  mkdirSync(dirname(folder), { recursive: true });
  const lock = new DatabaseSync(`${folder}.lock`);
  try {
    lock.exec('CREATE TABLE IF NOT EXISTS holder (pid INTEGER); BEGIN IMMEDIATE');
    lock.exec(`DELETE FROM holder; INSERT INTO holder VALUES (${process.pid}); COMMIT; BEGIN IMMEDIATE`);
  } catch (cause) {
    if (!(cause instanceof Error && cause.message.includes('locked'))) throw cause;
    const { pid = 'unknown' } = lock.prepare('SELECT pid FROM holder').get() ?? {};
    throw new Error(
      `Cannot start the service: process ${pid} has ${folder} in use, perhaps another npm start in this folder. Stop that first: kill ${pid}`,
      { cause },
    );
  }
  held.push(lock);
}
