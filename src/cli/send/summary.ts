/** Counts the results of a run, by status and fault. */

import type { TableRow } from '../table.ts';
import type { Delivered } from './deliver.ts';

export type Summary = ReturnType<typeof startSummary>;

export function startSummary() {
  const statuses = new Map<string, number>();
  const faults = new Map<string, number>();
  const warnings = new Map<string, number>();
  const outcomes: Record<Delivered['outcome'], number> = { accepted: 0, checked: 0, refused: 0 };
  let retries = 0;
  return {
    /** How many events ended in which way. */
    outcomes,
    add(delivered: Delivered): void {
      outcomes[delivered.outcome] += 1;
      count(statuses, `${delivered.status} ${delivered.problem || 'ok'}`);
      for (const fault of delivered.faults) count(faults, fault);
      for (const warning of delivered.warnings) count(warnings, warning);
    },
    /** Counts events that are sent again. */
    again(events: number): void {
      retries += events;
    },
    /** How many events were sent again, counting repeats. */
    get retries() {
      return retries;
    },
    /** The counts of answers, faults and warnings as tables, the most frequent first; empty tables are omitted. */
    tables(): TableRow[][] {
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
