/** Formatting numbers and times. Pure. */

/** Formats a number in English. */
export function number(count: number): string {
  return count.toLocaleString('en');
}

/** Formats a number that may be unknown. */
export function known(count: number | null | undefined): string {
  return count == null ? 'not known' : number(count);
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, count) => total + count, 0);
}

/** Month, day and time in UTC; the surrounding text has to name the zone. */
export function clock(time: string, precision: 'minutes' | 'seconds' = 'minutes'): string {
  return time.slice(5, precision === 'minutes' ? 16 : 19).replace('T', ' ');
}

/** The age of something, for people. */
export function ago(time: string, now: number): string {
  const minutes = Math.max(0, Math.round((now - Date.parse(time)) / 60_000));
  if (minutes === 0) return 'just now';
  return minutes < 120 ? `${minutes} min ago` : `${Math.round(minutes / 60)} h ago`;
}
