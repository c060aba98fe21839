/** Counts the results of a run, by status and fault. */

import type { TableRow } from '../table.ts';
import type { Delivered } from './deliver.ts';

export interface Summary {
  add(delivered: Delivered): void;
  /** Counts events that are sent again. */
  again(events: number): void;
  /** How many events ended in which way. */
  readonly outcomes: Readonly<Record<Delivered['outcome'], number>>;
  /** How many events were sent again, counting repeats. */
  readonly retries: number;
  /** The counts of answers, faults and warnings as tables, the most frequent first; empty tables are omitted. */
  tables(): readonly (readonly TableRow[])[];
}

export function startSummary(): Summary {
  const statuses = new Map<string, number>();
  const faults = new Map<string, number>();
  const warnings = new Map<string, number>();
  const outcomes = { accepted: 0, checked: 0, refused: 0 };
  let retries = 0;
  return {
    outcomes,
    add(delivered) {
      outcomes[delivered.outcome] += 1;
      count(statuses, `${delivered.status} ${delivered.problem || 'ok'}`);
      for (const fault of delivered.faults) count(faults, fault);
      for (const warning of delivered.warnings) count(warnings, warning);
    },
    again(events) {
      retries += events;
    },
    get retries() {
      return retries;
    },
    tables() {
      const all = [tableOf('answer', statuses), tableOf('fault', faults), tableOf('warning', warnings)];
      return all.filter((table) => table.length > 0);
    },
  };
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function tableOf(what: string, counts: ReadonlyMap<string, number>): TableRow[] {
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([name, events]) => ({ [what]: name, events }));
}
