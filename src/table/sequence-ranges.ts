/** Sequences of the part log written as ranges, `3-7,9`: the parts that a data file holds. Pure. */

/** A range of sequences, both ends inclusive. */
export type SequenceRange = readonly [first: number, last: number];

/** Groups sequences, given in ascending order, into ranges. */
export function rangesOf(sequences: readonly number[]): SequenceRange[] {
  const ranges: [number, number][] = [];
  for (const sequence of sequences) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] + 1 === sequence) last[1] = sequence;
    else ranges.push([sequence, sequence]);
  }
  return ranges;
}

/** Writes sequences, given in ascending order. */
export function writeRanges(sequences: readonly number[]): string {
  return rangesOf(sequences)
    .map(([first, last]) => (first === last ? String(first) : `${first}-${last}`))
    .join(',');
}

/**
 * Reads sequences.
 *
 * @throws When the text is not a list of ranges.
 */
export function readRanges(text: string | undefined): number[] {
  return (text ?? '').split(',').flatMap((range) => {
    const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(range) ?? [];
    if (first === undefined) throw new Error('Cannot read which parts a data file holds: its metadata do not say it');
    return Array.from({ length: Number(last) - Number(first) + 1 }, (_, at) => Number(first) + at);
  });
}
