/** Decides which values of a row or message belong to the guest who asks; all others are left to a person. Pure. */

import { COLUMNS, factsOf, type Row } from '../../contract/row.ts';
import { type Hotel, identifiersOf, parseJson, UNKNOWN_HOTEL } from '../../guests/identifiers.ts';
import { hotelOf, isOfTheGuest, OPEN_COLUMNS, readRow } from '../../guests/row-identifiers.ts';

type Columns = Readonly<Record<string, unknown>>;

/** A value that is not handed out unless a person decides so. */
export interface Undecided {
  /** Path of the value, such as `extra.Companions.0`. */
  readonly member: string;
  readonly why: 'names somebody else' | 'does not say whom it is about';
  readonly value: unknown;
}

export interface Divided {
  /** What can be handed out; undefined if nothing can. */
  readonly kept: unknown;
  readonly undecided: readonly Undecided[];
}

/**
 * Divides the row of an event. The guest's own stay keeps all its columns; a stay of somebody else that only mentions
 * the guest keeps none of that person's columns. Of comments and `extra`, only what can be attributed to the guest is
 * kept.
 */
export function divideRow(
  row: Columns,
  wanted: ReadonlySet<string>,
): Divided & { readonly kept: Record<string, unknown> } {
  const reading = readRow(row);
  const isOwn = !reading.own.isDisjointFrom(wanted);
  const scope: Scope = { wanted: isOwn ? wanted.union(reading.own) : wanted, hotel: hotelOf(row) };
  const undecided: Undecided[] = [];
  const kept: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(row)) {
    if (!OPEN_COLUMNS.some((open) => open === column)) {
      if (isOwn || value === null || !isPersonal(column)) kept[column] = value;
      continue;
    }
    const extra = column === 'extra' && typeof value === 'string' ? parseJson(value) : undefined;
    const divided =
      typeof extra === 'object' && extra !== null
        ? divideObject(extra, column, column, isOwn ? 'top' : 'unknown', scope)
        : divideText(value, column, isOwn, scope);
    kept[column] = divided.kept ?? null;
    undecided.push(...divided.undecided);
  }
  return { kept, undecided };
}

/** Divides the text of a refused body. Text that is not JSON is left to a person as a whole. */
export function divideBody(text: string, wanted: ReadonlySet<string>): Divided {
  const value = parseJson(text);
  const scope: Scope = { wanted, hotel: UNKNOWN_HOTEL };
  if (typeof value !== 'object' || value === null) return undecidedWhole(text, 'body', 'does not say whom it is about');
  return divideObject(value, 'body', 'body', 'unknown', scope);
}

interface Scope {
  /** The identifiers of the guest. */
  readonly wanted: ReadonlySet<string>;
  readonly hotel: Hotel;
}

/** Whose the enclosing object is: the `guest`'s; at the `top`, the guest's where member names say so; or `unknown`. */
type Owner = 'guest' | 'top' | 'unknown';

/** Divides an object by its members, or a list by its items, which take the name of the list. */
function divideObject(value: object, name: string, path: string, outer: Owner, scope: Scope): Divided {
  const entries = Object.entries(value);
  let owner = outer;
  if (!Array.isArray(value)) {
    const scalars = Object.fromEntries(entries.filter(([, item]) => typeof item !== 'object'));
    const says = whoIsIn(scalars, scope);
    if (says === 'another' && outer !== 'top') return undecidedWhole(value, path, 'names somebody else');
    // An object that names the guest makes its own members the guest's, and so do the objects nested in it.
    if (says === 'guest' && outer !== 'top') owner = 'guest';
  }
  const kept: [string, unknown][] = [];
  const undecided: Undecided[] = [];
  for (const [member, item] of entries) {
    const divided = divide(item, Array.isArray(value) ? name : member, `${path}.${member}`, owner, scope);
    if (divided.kept !== undefined) kept.push([member, divided.kept]);
    undecided.push(...divided.undecided);
  }
  if (kept.length === 0) return { kept: undefined, undecided };
  return { kept: Array.isArray(value) ? kept.map(([, item]) => item) : Object.fromEntries(kept), undecided };
}

function divide(value: unknown, name: string, path: string, owner: Owner, scope: Scope): Divided {
  if (value === null) return { kept: undefined, undecided: [] };
  const mayBeOwn = owner === 'guest' || (owner === 'top' && isOfTheGuest(name));
  if (typeof value === 'object') return divideObject(value, name, path, owner === 'top' ? 'unknown' : owner, scope);
  // At the top of the guest's own row, a member with the name of a guest field is the original of that field.
  if (owner === 'top' && mayBeOwn) return { kept: value, undecided: [] };
  const says = whoIsIn({ [name]: value }, scope);
  if (says === 'another' || says === 'several') return undecidedWhole(value, path, 'names somebody else');
  return says === 'guest' || mayBeOwn
    ? { kept: value, undecided: [] }
    : undecidedWhole(value, path, 'does not say whom it is about');
}

function divideText(value: unknown, column: string, isOwn: boolean, scope: Scope): Divided {
  if (value === null) return { kept: null, undecided: [] };
  const says = whoIsIn({ [column]: value }, scope);
  if (says === 'guest' || (says === 'nobody' && isOwn)) return { kept: value, undecided: [] };
  return undecidedWhole(value, column, says === 'nobody' ? 'does not say whom it is about' : 'names somebody else');
}

/** Who is identified in a value: only the guest, only somebody else, several people, or nobody. */
function whoIsIn(value: object, { wanted, hotel }: Scope): 'guest' | 'another' | 'several' | 'nobody' {
  const found = [...identifiersOf(value, hotel).found];
  const ofGuest = found.filter((identifier) => isOfGuest(identifier, wanted)).length;
  if (found.length === 0) return 'nobody';
  if (ofGuest === 0) return 'another';
  // A name yields several spellings. The guest shares at least one, so the others do not count as other people.
  const others = found.filter((identifier) => !isOfGuest(identifier, wanted) && !identifier.startsWith('name_birth:'));
  return others.length === 0 ? 'guest' : 'several';
}

function isOfGuest(identifier: string, wanted: ReadonlySet<string>): boolean {
  return wanted.has(identifier) || wanted.has(identifier.replace(/^phone_of:/, 'phone_national:'));
}

function undecidedWhole(value: unknown, member: string, why: Undecided['why']): Divided {
  return { kept: undefined, undecided: [{ member, why, value }] };
}

function isPersonal(column: string): boolean {
  const known = COLUMNS.find((name): name is keyof Row => name === column);
  // A column of a later version may be personal. The key may hold anything: the sender chose it.
  return known === undefined || known === 'idempotency_key' || factsOf(known).personal;
}
