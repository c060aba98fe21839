/** Trying an event without storing it. */

/** Whether a request only asks for a check: its address has `?check`, with or without a value. */
export function isCheckOnly(url: string): boolean {
  return url.includes('?') && new URL(url).searchParams.has('check');
}
