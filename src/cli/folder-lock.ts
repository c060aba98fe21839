/** Allows one process at a time in a folder. */

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFolder } from './make-folder.ts';

/** SQLITE_BUSY (SQLite, Result Codes): another process holds the lock. */
const BUSY = 5;

/**
 * Locks a folder against other processes that ask for the same lock, until this process releases it or ends for
 * whatever reason: SQLite takes a lock of the operating system, in the way that each system needs.
 *
 * @param name - Name of the lock: `NAME.pid` says who holds it. `NAME.lock` stays in the folder: a process that has opened
 * it just before it is removed, and one that creates it anew, would both get the lock.
 * @returns A function that releases the lock.
 * @throws When another process holds it; the message names that process.
 */
export function lockFolder(folder: string, name: string): () => void {
  makeFolder(folder);
  const holder = join(folder, `${name}.pid`);
  const database = openDatabase(folder, join(folder, `${name}.lock`));
  try {
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (!(error instanceof Error && 'errcode' in error && error.errcode === BUSY)) throw error;
    throw new Error(`Cannot work in ${folder}: ${holderIn(holder)} is at work there; run this again when it has ended`);
  }
  writeFileSync(holder, String(process.pid), { mode: 0o600 });
  return () => {
    rmSync(holder, { force: true });
    database.close();
  };
}

function openDatabase(folder: string, file: string): DatabaseSync {
  try {
    return new DatabaseSync(file, { timeout: 0 });
  } catch (cause) {
    throw new Error(`Cannot work in ${folder}: nothing can be written there; allow it, or name another folder`, {
      cause,
    });
  }
}

function holderIn(file: string): string {
  try {
    return `process ${readFileSync(file, 'utf8')}`;
  } catch {
    // The holder has not written its id yet.
    return 'another process';
  }
}
