/** Describes the result of a search for people. Pure. */

import type { TableRow } from '../table.ts';
import type { Hit } from './checkpoint.ts';
import { goneOn, PLACES, type Place } from './places.ts';
import type { Found } from './search.ts';

/** What an erasure does to the lines of a place. Other places are not edited: their objects expire. */
const FATES: Readonly<Partial<Record<Place, string>>> = {
  events: 'rewritten without the guest',
  landing: 'erased when they are published',
};

/** One table row for each place: how many lines match there, and when they expire or what becomes of them. */
export function tableOfFound({ hits, objects }: Pick<Found, 'hits' | 'objects'>, isPlan: boolean): TableRow[] {
  const byPlace = Map.groupBy(hits, ({ place }) => place);
  return PLACES.toReversed().map((place) => {
    const here = byPlace.get(place) ?? [];
    const keys = new Set(here.map(({ key }) => key));
    const fate = here.length === 0 ? '' : (FATES[place] ?? lastDayOf(keys, objects));
    return {
      place: `${place}/`,
      objects: keys.size,
      lines: here.length,
      'found by': [...new Set(here.flatMap(({ by }) => by))].map((kind) => WORDS[kind] ?? kind).join(', '),
      [isPlan ? 'what becomes of them' : 'until']: isPlan || FATES[place] === undefined ? fate : '',
    };
  });
}

function lastDayOf(keys: ReadonlySet<string>, objects: Found['objects']): string {
  const last = Math.max(...[...keys].map((key) => objects.get(key)?.modified.getTime() ?? 0));
  return `gone on ${goneOn(new Date(last))} at the latest`;
}

/** Kinds of identifiers that need other words than their code. */
const WORDS: Readonly<Record<string, string>> = {
  'customer_id?': 'customer_id of an unknown hotel',
  'reservation_id?': 'reservation_id of an unknown hotel',
  name_birth: 'name and birth date',
  phone_national: 'phone without country code',
  phone_of: 'phone without country code',
};

/** Keys that are named for each kind of doubt. */
const KEYS_NAMED = 5;

/** What a person should check before trusting the result, as sentences. */
export function doubtsAbout({
  hits,
  damaged,
  cut,
  moved,
}: Pick<Found, 'hits' | 'damaged' | 'cut' | 'moved'>): string[] {
  const only = (kinds: readonly string[]) => hits.filter(({ by }) => by.every((kind) => kinds.includes(kind))).length;
  const doubts: [number, string][] = [
    [
      only(['phone_national', 'phone_of']),
      'line(s) match only by a phone number without its country code, which guests in two countries may share',
    ],
    [
      only(['customer_id?', 'reservation_id?']),
      'line(s) match only by an id and do not name its hotel: check whether it is this guest’s',
    ],
    [damaged.length, `object(s) cannot be read to the end, so the guest is missed in the rest: ${named(damaged)}`],
    [cut.length, `object(s) have lines that were not read whole, so the guest is missed in the rest: ${named(cut)}`],
    [moved, 'object(s) were moved before they could be read, so the guest may be missed in them: run this again'],
  ];
  return doubts.filter(([count]) => count > 0).map(([count, doubt]) => `${count} ${doubt}`);
}

function named(keys: readonly string[]): string {
  const more = keys.length > KEYS_NAMED ? `, and ${keys.length - KEYS_NAMED} more` : '';
  return keys.slice(0, KEYS_NAMED).join(', ') + more;
}

/** A row that would be erased, with the values that show a person whose it is. */
export interface HitRow {
  readonly hit: Hit;
  readonly row: Readonly<Record<string, unknown>>;
}

/** The stays whose data would be erased, one table row for each hotel, reservation and guest name. */
export function tableOfStays(rows: readonly HitRow[]): TableRow[] {
  const stays = Map.groupBy(rows, ({ hit, row }) =>
    JSON.stringify([row.integration_id, row.property_id, row.reservation_id, nameOf(row), hit.own]),
  );
  return Array.from(stays.values(), (events) => {
    const [first] = events;
    const row = first?.row ?? {};
    const day = (column: string, pick: (days: string[]) => string | undefined) =>
      pick(events.map((each) => String(each.row[column]).slice(0, 10)).sort()) ?? '';
    return {
      hotel: `${row.integration_id} / ${row.property_id}`,
      reservation: String(row.reservation_id ?? 'without a number'),
      guest: nameOf(row),
      stay: `${day('start_utc', (days) => days[0])} to ${day('end_utc', (days) => days.at(-1))}`,
      events: events.length,
      'what goes': first?.hit.own ? 'all columns of the guest' : 'the comment and extra, in which the guest is named',
    };
  });
}

function nameOf({ first_name, last_name }: Readonly<Record<string, unknown>>): string {
  return [first_name, last_name].filter((name) => typeof name === 'string').join(' ') || 'without a name';
}
