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

/** The counts by place, one row each for a table; the last column is there when erasing is planned. */
export function tableOfFound(hits: readonly Hit[], isPlan: boolean): TableRow[] {
  const byPlace = Map.groupBy(hits, ({ place }) => place);
  return PLACES.toReversed().map((place) => {
    const here = byPlace.get(place) ?? [];
    return {
      place: `${place}/`,
      objects: new Set(here.map(({ key }) => key)).size,
      lines: here.length,
      'found by': [...new Set(here.flatMap(({ by }) => by))].map((kind) => WORDS[kind] ?? kind).join(', '),
      ...(isPlan && { 'when erased': here.length === 0 ? '' : FATES[place] }),
    };
  });
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
