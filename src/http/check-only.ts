/** Trying an event without storing it. Pure. */

/** What `?check` may be given. Any other value is somebody else's parameter, and the event is meant. */
const AFFIRMATIVE = new Set(['', '1', 'true']);

/** Whether a request only asks for a check: its address has `?check`, `?check=1` or `?check=true`. */
export function isCheckOnly(url: string): boolean {
  if (!url.includes('?')) return false;
  const value = new URL(url).searchParams.get('check');
  return value !== null && AFFIRMATIVE.has(value);
}
