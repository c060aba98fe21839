/** Finds the fields of a refused payload in nested values, and its names that the contract does not know. Pure. */

import { parseOrUndefined } from '../json/parse-plainly.ts';
import { FIELDS } from './fields.ts';
import { fieldMeant } from './names.ts';
import type { Breach } from './normalise.ts';

/** What holds the fields: an object in a member of the body, an object further down, a list, or JSON text. */
export type Wrapping = 'object' | 'deeper' | 'list' | 'text';

const REQUIRED = FIELDS.filter(({ required }) => required).length;

/** An envelope may itself have one or two fields, such as the IntegrationId. */
const MAX_FIELDS_OUTSIDE = 2;
/** Fewer known names may be a coincidence. */
const MIN_FIELDS_INSIDE = 3;
/** Names that are looked at in each object, and members on each level, at most. An event has fewer. */
const MAX_NAMES = 100;

/** Levels that are searched at most. Nested envelopes have two or three. */
const MAX_LEVELS = 4;

/** Finds out whether a payload without its required fields holds them in a nested value. */
export function wrappingOf({ errors, payload }: Breach): Wrapping | undefined {
  const missing = errors.filter(({ code }) => code === 'missing').length;
  if (missing < REQUIRED - MAX_FIELDS_OUTSIDE) return undefined;
  let objects: readonly object[] = [payload];
  for (let level = 1; level <= MAX_LEVELS; level += 1) {
    const members = objects.flatMap((object) => Object.values(object).slice(0, MAX_NAMES)).slice(0, MAX_NAMES);
    for (const member of members) {
      if (holdsFields(member)) return level === 1 ? 'object' : 'deeper';
      if (Array.isArray(member) && holdsFields(member[0])) return 'list';
      if (typeof member === 'string' && holdsFields(parsedObject(member))) return 'text';
    }
    objects = members.filter((member) => typeof member === 'object' && member !== null);
  }
  return undefined;
}

function holdsFields(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const fields = new Set(Object.keys(value).slice(0, MAX_NAMES).map(fieldMeant));
  return fields.size - Number(fields.has(undefined)) >= MIN_FIELDS_INSIDE;
}

function parsedObject(text: string): unknown {
  return text.trimStart().startsWith('{') ? parseOrUndefined(text) : undefined;
}

/** Unknown names that are reported at most. A sender with a wrong mapping recognises it from the first few. */
const MAX_TOLD = 30;

/**
 * What a program may call a field. Anything else may be a value in place of a name, in particular anything with five
 * digits: a date, a telephone number, or the number of a card or a reservation.
 */
const NAME = /^(?!(?:\D*\d){5})[A-Za-z][\w .-]{0,63}$/;

/** The names to report, in the order of the payload, and how many more there are. */
export interface UnknownNames {
  readonly names: readonly string[];
  readonly more: number;
}

/** Finds the unknown names of a payload in which a required field is missing. None when no field is missing. */
export function unknownNamesOf({ errors, payload }: Breach): UnknownNames {
  if (!errors.some(({ code }) => code === 'missing')) return { names: [], more: 0 };
  const unknown = Object.keys(payload).filter((name) => fieldMeant(name) === undefined);
  const names = unknown.filter((name) => NAME.test(name)).slice(0, MAX_TOLD);
  return { names, more: unknown.length - names.length };
}
