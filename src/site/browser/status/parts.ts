/** How numbers and times are written. Pure. */

/** A number as it is written in English. */
export function number(count: number): string {
  return count.toLocaleString('en');
}

/** A number that may not have been found out. */
export function known(count: number | null | undefined): string {
  return count == null ? 'not known' : number(count);
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, count) => total + count, 0);
}

/** A moment in UTC, which the place that shows it has to name: month, day and time. */
export function clock(time: string, precision: 'minutes' | 'seconds' = 'minutes'): string {
  return time.slice(5, precision === 'minutes' ? 16 : 19).replace('T', ' ');
}

/** How long ago something was, for people. */
export function ago(time: string, now: number): string {
  const minutes = Math.max(0, Math.round((now - Date.parse(time)) / 60_000));
  if (minutes === 0) return 'just now';
  return minutes < 120 ? `${minutes} min ago` : `${Math.round(minutes / 60)} h ago`;
}
