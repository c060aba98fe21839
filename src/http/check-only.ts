/** Trying an event without storing it: the one place that knows what `?check` may be given. Pure. */

/** Words that ask for a check, and words that mean the event, in any case. */
export const CHECK_WORDS = { check: ['', '1', 'true', 'yes', 'on'], store: ['0', 'false', 'no', 'off'] } as const;

/** What the address of a request asks for. `unclear`: it has `?check` with a value that says neither. */
export type Intention = 'store' | 'check' | 'unclear';

/**
 * Reads what is to be done with an event off the address. `check` may be written in any case; when it is there more than
 * once, all of them have to say the same.
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
