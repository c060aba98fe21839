/**
 * JSON text that is the same for equal values and that every reader can load. Pure.
 */

import { InexactNumber } from './inexact-number.ts';
import { loadableText, REPLACEMENT } from './loadable-text.ts';
import { TooDeep } from './too-deep.ts';

/** A value as JSON text. */
export interface CanonicalText {
  readonly text: string;
  /** Whether {@link loadableText} changed a name or a text. */
  readonly replaced: boolean;
  /** Whether a {@link TooDeep} was written as text. */
  readonly cutOff: boolean;
}

/**
 * Serialises a value whose members may have come in any order (RFC 8259 section 4 gives the order no meaning). Depth has
 * to be bounded by the caller, since this recurses.
 */
export function canonicalText(value: object): CanonicalText {
  let replaced = false;
  let cutOff = false;

  function loadable(text: string): string {
    const safe = loadableText(text);
    replaced ||= safe !== text;
    return safe;
  }

  function ordered(member: unknown): unknown {
    if (typeof member === 'string') return loadable(member);
    if (typeof member !== 'object' || member === null || member instanceof InexactNumber) return member;
    if (member instanceof TooDeep) {
      cutOff = true;
      return member.source;
    }
    return Array.isArray(member) ? member.map(ordered) : orderedMembers(member as Readonly<Record<string, unknown>>);
  }

  function orderedMembers(object: Readonly<Record<string, unknown>>): object {
    // Without a prototype, so that a member named __proto__ is a member like any other.
    const copy: Record<string, unknown> = Object.create(null);
    const renamed: [from: string, to: string][] = [];
    for (const name of Object.keys(object).sort()) {
      const safe = loadable(name);
      if (safe === name) copy[name] = ordered(object[name]);
      else renamed.push([name, safe]);
    }
    for (const [from, to] of renamed) copy[unusedName(to, copy)] = ordered(object[from]);
    return copy;
  }

  const text = JSON.stringify(ordered(value));
  return { text, replaced, cutOff };
}

/** The name itself, or with as many marks behind it as tell it from those that stand there already. */
function unusedName(name: string, taken: object): string {
  let unused = name;
  while (unused in taken) unused += REPLACEMENT;
  return unused;
}
