/**
 * What has been replayed, as small objects below `replayed/`. Each is created once, after the work it stands for, and
 * is never changed: so a run that was broken off goes on where it stopped, and one that is repeated does nothing.
 */

import { REPLAYED } from '../../storage/keys.ts';
import type { ObjectStore } from '../object-store.ts';
import { REJECTED } from './select.ts';

/** The notes of earlier runs, and of this one. */
export interface Replayed {
  /** Whether something is noted under this name. */
  has(name: string): boolean;
  /** Notes what was done; in a dry run, for the rest of it only. */
  note(name: string, facts: Readonly<Record<string, string | number>>): Promise<void>;
}

/** Reads the notes below `replayed/`. */
export async function readReplayed(store: Pick<ObjectStore, 'list' | 'create'>, dryRun: boolean): Promise<Replayed> {
  const known = new Set<string>();
  for await (const { key } of store.list(keyOf(REJECTED))) known.add(key);
  return {
    has: (name) => known.has(keyOf(name)),
    async note(name, facts) {
      known.add(keyOf(name));
      if (dryRun) return;
      // False when another run was faster; what it noted is as true.
      await store.create(keyOf(name), `${JSON.stringify({ ...facts, replayed_at: new Date().toISOString() })}\n`);
    },
  };
}

function keyOf(name: string): string {
  return `${REPLAYED}${name}`;
}
