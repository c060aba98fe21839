/** Counts by name, as stored in the metadata of an object: `hotel-a=57,hotel-b=3`. Pure. */

/** Maximum length of the text, in bytes: R2 keeps 8,192 bytes of metadata with an object (R2, Limits). */
const MAX_TEXT_BYTES = 1_500;

/** Counts that do not fit are added up under this name, which no sender can have. */
export const OTHERS = '*';

/** Counts names. Undefined, the name of a line without one, is skipped. */
export function countOf(names: Iterable<string | undefined>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** Writes counts, the largest first. Names are ASCII without `=` and `,`. */
export function writeCounts(counts: ReadonlyMap<string, number>): string {
  const all = [...counts].sort(([, left], [, right]) => right - left);
  let text = '';
  let others = 0;
  for (const [name, count] of all) {
    const entry = `${name}=${count},`;
    if (text.length + entry.length <= MAX_TEXT_BYTES) text += entry;
    else others += count;
  }
  return others > 0 ? `${text}${OTHERS}=${others}` : text.slice(0, -1);
}

/** Reads counts, skipping every entry that is not a count. */
export function readCounts(text: string | undefined): Map<string, number> {
  const entries = (text ?? '').split(',').map((entry) => /^([\w.*-]+)=(\d{1,15})$/.exec(entry));
  return new Map(entries.flatMap((match) => (match === null ? [] : [[match[1] ?? '', Number(match[2])]])));
}
