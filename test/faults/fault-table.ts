/** How often each fault struck, and what became of what it struck. */

/** One line of the table. */
interface Row {
  times: number;
  readonly met: Set<string>;
}

/** What a mark ended as. */
export type Ending = 'accepted' | 'refused' | 'unavailable';

/** The table in the making. */
export interface FaultTable {
  /** Notes that a fault struck requests with these marks, once. */
  strike(where: string, fault: string, marks: readonly string[]): void;
  /** The table in Markdown. */
  render(endings: ReadonlyMap<string, Ending>, lost: ReadonlySet<string>): string;
}

/** Starts an empty table. */
export function startFaultTable(): FaultTable {
  const rows = new Map<string, Row>();
  return {
    strike(where, fault, marks) {
      const name = `| ${where.padEnd(8)} | ${fault.padEnd(50)} |`;
      const row = rows.get(name) ?? { times: 0, met: new Set() };
      row.times += 1;
      for (const mark of marks) row.met.add(mark);
      rows.set(name, row);
    },
    render(endings, lost) {
      const header = [
        `| ${'where'.padEnd(8)} | ${'fault'.padEnd(50)} | times | 202 | 4xx | 503 | lost |`,
        `| ${'-'.repeat(8)} | ${'-'.repeat(50)} | ----: | --: | --: | --: | ---: |`,
      ];
      const lines = [...rows].toSorted().map(([name, { times, met }]) => {
        const count = (ending: Ending) => [...met].filter((mark) => endings.get(mark) === ending).length;
        const gone = [...met].filter((mark) => lost.has(mark)).length;
        const counts = [times, count('accepted'), count('refused'), count('unavailable'), gone];
        return `${name} ${counts.join(' | ')} |`;
      });
      return [...header, ...lines].join('\n');
    },
  };
}
