/** Structured logs: one JSON object a line, which Workers Logs indexes by field. */

import { runningVersion } from './version.ts';

/** What a log may hold: never a value from a body, a token or a query string. */
type Facts = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Writes what happened. */
export function log(event: string, facts: Facts): void {
  console.log(JSON.stringify({ event, ...facts, version: runningVersion() }));
}

/** Writes what went wrong and has to be looked at; `error` is what was thrown. */
export function logError(event: string, error: unknown, facts: Facts = {}): void {
  const { name, message } = error instanceof Error ? error : { name: typeof error, message: '' };
  console.error(JSON.stringify({ event, error: name, message, ...facts, version: runningVersion() }));
}
