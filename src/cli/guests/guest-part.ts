/** What of a record tells of one guest and of nobody else. Pure. */

import { COLUMNS, factsOf, type Row } from '../../contract/row.ts';
import { identifiersOf } from '../../guests/identifiers.ts';

type Columns = Readonly<Record<string, unknown>>;

/** Columns in which anything may stand, other guests too. */
const OPEN_COLUMNS = ['extra', 'staff_comment'];

/** Stands for what was left out. */
const LEFT_OUT = '(another guest, left out)';

/**
 * The row of an event for the guest: where it names them only in `extra` or a comment, it is another guest's stay, and
 * that one's columns are left out. So are the others in a list of guests in `extra`.
 */
export function guestPartOfRow(row: Columns, wanted: ReadonlySet<string>): Columns {
  const direct = Object.fromEntries(Object.entries(row).filter(([column]) => !OPEN_COLUMNS.includes(column)));
  const sender = String(row.sender);
  const isOwn = !identifiersOf(direct, sender).isDisjointFrom(wanted);
  const columns = Object.entries(row).map(([column, value]): [string, unknown] => {
    if (column === 'extra' && typeof value === 'string') return [column, partOfJson(value, wanted, sender) ?? value];
    return [column, !isOwn && value !== null && isPersonal(column) ? LEFT_OUT : value];
  });
  return Object.fromEntries(columns);
}

/**
 * The text of a body without the other guests in its lists; undefined when it is no JSON, so that the guests in it cannot
 * be told apart.
 */
export function partOfJson(text: string, wanted: ReadonlySet<string>, sender: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return JSON.stringify(withoutOthers(value));

  function withoutOthers(inside: unknown): unknown {
    if (typeof inside !== 'object' || inside === null) return inside;
    if (Array.isArray(inside)) return inside.map((item) => (isOther(item) ? LEFT_OUT : withoutOthers(item)));
    return Object.fromEntries(Object.entries(inside).map(([name, item]) => [name, withoutOthers(item)]));
  }

  /** Whether a member of a list tells of somebody, and not of the guest. */
  function isOther(item: unknown): boolean {
    const found = identifiersOf(item, sender);
    return found.size > 0 && found.isDisjointFrom(wanted);
  }
}

function isPersonal(column: string): boolean {
  const known = COLUMNS.find((name): name is keyof Row => name === column);
  // One of a later version may be.
  return known === undefined || factsOf(known).personal;
}
