/** What came of a run, by status and fault. */

import type { Delivered } from './deliver.ts';

/** The counts of a run. */
export interface Summary {
  add(delivered: Delivered): void;
  readonly accepted: number;
  readonly refused: number;
  /** The attempts beyond the first, over all events. */
  readonly retries: number;
  /** The counts as tables, under their titles; empty ones are left out. */
  tables(): ReadonlyMap<string, Readonly<Record<string, { readonly events: number }>>>;
}

/** Starts counting. */
export function startSummary(): Summary {
  const statuses = new Map<string, number>();
  const faults = new Map<string, number>();
  const warnings = new Map<string, number>();
  let accepted = 0;
  let refused = 0;
  let retries = 0;
  return {
    add(delivered) {
      if (delivered.outcome === 'accepted') accepted += 1;
      else refused += 1;
      retries += delivered.attempts - 1;
      count(statuses, `${delivered.status} ${delivered.problem || 'ok'}`);
      for (const fault of delivered.faults) count(faults, fault);
      for (const warning of delivered.warnings) count(warnings, warning);
    },
    get accepted() {
      return accepted;
    },
    get refused() {
      return refused;
    },
    get retries() {
      return retries;
    },
    tables() {
      const all = { Answers: statuses, Faults: faults, Warnings: warnings };
      const filled = Object.entries(all).filter(([, counts]) => counts.size > 0);
      return new Map(filled.map(([title, counts]) => [title, tableOf(counts)]));
    },
  };
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** The most frequent first. */
function tableOf(counts: ReadonlyMap<string, number>): Record<string, { events: number }> {
  return Object.fromEntries([...counts].toSorted(([, a], [, b]) => b - a).map(([name, events]) => [name, { events }]));
}
