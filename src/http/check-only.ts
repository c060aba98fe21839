/** Interprets `?check`, with which an event is checked and not stored. Pure. */

/** Values of `?check` that ask for a check, and values that ask to store the event, in any case. */
export const CHECK_WORDS = { check: ['', '1', 'true', 'yes', 'on'], store: ['0', 'false', 'no', 'off'] } as const;

/** What the URL of a request asks for. `unclear`: `?check` has an unknown value, or several that disagree. */
export type Intention = 'store' | 'check' | 'unclear';

/**
 * Reads from a URL whether to store or to check an event. `check` may be written in any case. When it is repeated, all
 * its values have to mean the same.
 */
export function intentionOf(url: string): Intention {
  const query = url.indexOf('?');
  if (query === -1) return 'store';
  const values = Array.from(new URLSearchParams(url.slice(query + 1)))
    .filter(([name]) => name.toLowerCase() === 'check')
    .map(([, value]) => meaningOf(value.trim().toLowerCase()));
  const [first = 'store'] = values;
  return values.every((value) => value === first) ? first : 'unclear';
}

function meaningOf(value: string): Intention {
  if (CHECK_WORDS.check.some((word) => word === value)) return 'check';
  return CHECK_WORDS.store.some((word) => word === value) ? 'store' : 'unclear';
}
