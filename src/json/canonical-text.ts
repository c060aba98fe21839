/** Serialises values to JSON text that is the same for equal values and that every reader can load. Pure. */

import { InexactNumber } from './inexact-number.ts';
import { loadableText } from './loadable-text.ts';
import { TooDeep } from './parse-plainly.ts';

export interface CanonicalText {
  readonly text: string;
  /** Whether {@link loadableText} changed a name or a string. */
  readonly replaced: boolean;
  /** Whether a {@link TooDeep} value was written as a string. */
  readonly cutOff: boolean;
}

/**
 * Serialises a value with the members of each object sorted (their order has no meaning, RFC 8259 section 4). The
 * caller has to bound the depth, since this recurses.
 */
export function canonicalText(value: object): CanonicalText {
  let replaced = false;
  let cutOff = false;

  function loadable(text: string): string {
    const safe = loadableText(text);
    replaced ||= safe !== text;
    return safe;
  }

  function written(member: unknown): string {
    if (typeof member === 'string') return JSON.stringify(loadable(member));
    if (typeof member !== 'object' || member === null) return JSON.stringify(member);
    if (member instanceof InexactNumber) return member.source;
    if (member instanceof TooDeep) {
      cutOff = true;
      return JSON.stringify(member.source);
    }
    if (Array.isArray(member)) return `[${member.map(written).join()}]`;
    const object = member as Readonly<Record<string, unknown>>;
    const members = inOrder(Object.keys(object), loadable).map(
      ([name, storedAs]) => `${JSON.stringify(storedAs)}:${written(object[name])}`,
    );
    return `{${members.join()}}`;
  }

  const text = written(value);
  return { text, replaced, cutOff };
}

type Named = [name: string, storedAs: string];

/** The sorted names, each with the name that it is stored under. Names that had to be changed come last. */
function inOrder(names: string[], loadable: (name: string) => string): readonly Named[] {
  const kept: Named[] = [];
  const changed: Named[] = [];
  for (const name of names.sort()) {
    const safe = loadable(name);
    (safe === name ? kept : changed).push([name, safe]);
  }
  return changed.length === 0 ? kept : [...kept, ...numbered(changed, new Set(names))];
}

/**
 * Appends a number to each changed name that is already taken. Numbers only rise, so that thousands of names that
 * change to the same one take a single pass.
 */
function numbered(changed: readonly Named[], taken: Set<string>): readonly Named[] {
  const numbers = new Map<string, number>();
  return changed.map(([name, safe]) => {
    let number = numbers.get(safe) ?? 1;
    let unused = safe;
    while (taken.has(unused)) unused = `${safe}#${++number}`;
    numbers.set(safe, number);
    taken.add(unused);
    return [name, unused];
  });
}
