/** Sequences of the log of parts as ranges, `3-7,9`: which parts a data file holds. Pure. */

/** A range of sequences, both ends included. */
export type SequenceRange = readonly [first: number, last: number];

/** Sequences in ascending order as ranges. */
export function rangesOf(sequences: readonly number[]): SequenceRange[] {
  const ranges: [number, number][] = [];
  for (const sequence of sequences) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] + 1 === sequence) last[1] = sequence;
    else ranges.push([sequence, sequence]);
  }
  return ranges;
}

/** Writes sequences, in ascending order. */
export function writeRanges(sequences: readonly number[]): string {
  return rangesOf(sequences)
    .map(([first, last]) => (first === last ? String(first) : `${first}-${last}`))
    .join(',');
}

/**
 * Reads sequences.
 *
 * @throws When the text is no ranges.
 */
export function readRanges(text: string | undefined): number[] {
  return (text ?? '').split(',').flatMap((range) => {
    const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(range) ?? [];
    if (first === undefined) throw new Error('Cannot read which parts a data file holds: its metadata do not say it');
    return Array.from({ length: Number(last) - Number(first) + 1 }, (_, at) => Number(first) + at);
  });
}
