/** What a search has found, for people. Pure. */

import type { TableRow } from '../table.ts';
import type { Hit } from './checkpoint.ts';
import { PLACES, type Place } from './places.ts';

/** What `forget` does with the lines of a place. */
const FATES: Readonly<Record<Place, string>> = {
  events: 'rewritten without the guest, as new objects',
  landing: 'erased when they are published',
  rejected: 'removed',
  'dead-letter': 'removed',
  unreadable: 'removed',
  replayed: 'stay: delete those objects yourself',
};

/**
 * The counts by place, one row each for a table; the last column is there when erasing is planned.
 *
 * @param columnar - The columnar objects of each day, `YYYY-MM-DD`, that has any.
 */
export function tableOfFound(
  hits: readonly Hit[],
  columnar: ReadonlyMap<string, readonly string[]>,
  isPlan: boolean,
): TableRow[] {
  const byPlace = Map.groupBy(hits, ({ place }) => place);
  const inParquet = (byPlace.get('events') ?? []).filter(({ key }) => columnar.has(dayOf(key)));
  const parquet = {
    place: 'parquet/',
    objects: [...new Set(inParquet.map(({ key }) => dayOf(key)))].flatMap((day) => columnar.get(day) ?? []).length,
    lines: inParquet.length,
    'found by': inParquet.length === 0 ? '' : 'the same rows, of complete days',
    ...(isPlan && { 'when erased': inParquet.length === 0 ? '' : 'written again' }),
  };
  const rows = PLACES.toReversed().map((place) => {
    const here = byPlace.get(place) ?? [];
    return {
      place: `${place}/`,
      objects: new Set(here.map(({ key }) => key)).size,
      lines: here.length,
      'found by': [...new Set(here.flatMap(({ by }) => by))].map((kind) => WORDS[kind] ?? kind).join(', '),
      ...(isPlan && { 'when erased': here.length === 0 ? '' : FATES[place] }),
    };
  });
  return [...rows.slice(0, 1), parquet, ...rows.slice(1)];
}

/** The day of a part, `YYYY-MM-DD`. */
export function dayOf(key: string): string {
  return /\/dt=(\d{4}-\d\d-\d\d)\//.exec(key)?.[1] ?? '';
}

/** Kinds of identifiers in words. */
const WORDS: Readonly<Record<string, string>> = {
  name_birth: 'name and birth date',
  phone_national: 'phone without country code',
  phone_of: 'phone without country code',
};

/** What a person should look at before they trust the result, as sentences. */
export function doubtsAbout(hits: readonly Hit[]): string[] {
  const isVague = ({ by }: Hit) => by.every((kind) => kind === 'phone_national' || kind === 'phone_of');
  const vague = hits.filter(isVague).length;
  return vague === 0
    ? []
    : [
        `${vague} line(s) fit only by a telephone number without its country code, which guests of two countries may share`,
      ];
}
