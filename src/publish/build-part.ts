/** Merging landing objects into one part: each event once, in the order in which they landed. */

import type { ActiveErasures } from '../guests/active-erasures.ts';
import { eraseNamed, eraseRow } from '../guests/erase-row.ts';
import { IdSet } from '../storage/id-set.ts';
import { newEventIdWords, readEventId } from '../storage/line-bytes.ts';
import type { Read, Source } from '../storage/read-in-order.ts';
import { erasuresWanting } from './erase/wanted-rows.ts';
import { gzipMember, writeLines } from './gzip.ts';
import type { Limits } from './limits.ts';
import { type PlannedPart, sourcesOf } from './manifest.ts';
import { type PartFacts, RowFacts } from './part-facts.ts';

export interface Part {
  /** One gzip member. */
  readonly body: Uint8Array<ArrayBuffer>;
  /** Undefined when there are no rows. */
  readonly facts: PartFacts | undefined;
  /** How many of the sources are in it, counted from the first. Fewer than all when the part filled up before. */
  readonly sources: number;
  readonly ids: IdSet;
  /** The number of rows in which guests were erased, by erasure id. */
  readonly caught: ReadonlyMap<string, number>;
  /** The landing objects that hold anything other than lines of this hour. */
  readonly unreadable: readonly string[];
}

/**
 * Reads the sources of a part and packs their lines. The same sources give the same rows as long as they exist; a
 * missing one is skipped, because only objects that were published or gathered are ever deleted.
 *
 * @param read - Reads objects in the order given.
 * @param published - Event_ids to leave out.
 * @param erasures - The guests to erase.
 */
export async function buildPart(
  read: (sources: readonly Source[]) => AsyncGenerator<Read>,
  planned: PlannedPart,
  published: IdSet,
  limits: Pick<Limits, 'sourceBytes' | 'partBytes'>,
  erasures?: ActiveErasures,
): Promise<Part> {
  const sources = sourcesOf(planned);
  const readable = sources.filter(({ bytes }) => bytes <= limits.sourceBytes);
  const unreadable = sources.filter(({ bytes }) => bytes > limits.sourceBytes).map(({ key }) => key);

  const ids = new IdSet();
  const facts = new RowFacts(planned.partition);
  const caught = new Map<string, number>();
  const id = newEventIdWords();
  let taken = sources.length;

  function placeOf(key: string): number {
    return sources.findIndex((source) => source.key === key);
  }

  /** Whether a line belongs in the part; undefined when it is not a line of this hour. */
  function isNew(line: Uint8Array): boolean | undefined {
    if (!readEventId(line, id) || !facts.isOfHour(id)) return undefined;
    if (published.has(id) || !ids.add(id)) return false;
    facts.add(id, line);
    return true;
  }

  function erase(line: Uint8Array): Uint8Array {
    if (erasures === undefined) return line;
    const { own, named } = erasuresWanting(line, id, erasures);
    for (const erasure of [...own, ...named]) caught.set(erasure, (caught.get(erasure) ?? 0) + 1);
    if (own.length > 0) return encoder.encode(eraseRow(decoder.decode(line), erasures.digest));
    return named.length > 0 ? encoder.encode(eraseNamed(decoder.decode(line), erasures.digest)) : line;
  }

  const body = await gzipMember(async (gzip) => {
    for await (const { key, body: source } of read(readable)) {
      if (source === undefined) continue;
      await writeLines(gzip, source, (line) => {
        const wanted = isNew(line);
        if (wanted === undefined && unreadable.at(-1) !== key) unreadable.push(key);
        return wanted === true ? erase(line) : undefined;
      });
      if (gzip.bytes < limits.partBytes) continue;
      taken = placeOf(key) + 1;
      break;
    }
  });
  const setAside = unreadable.filter((key) => placeOf(key) < taken);
  return { body, facts: await facts.of(body), sources: taken, ids, caught, unreadable: setAside };
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();
