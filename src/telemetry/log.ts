/**
 * Structured logs: one object a line, which Workers Logs indexes by field (Workers Logs, Logging structured JSON). Where
 * the platform prints lines, as on one's own machine, it is one line of JSON.
 */

/** The version of the Worker: an isolate runs one only. Empty where the platform has given it no ID. */
let version = '';

/** Remembers the version of an environment, and hands the environment on. */
export function withVersion<Bindings extends { readonly VERSION?: { readonly id: string } }>(env: Bindings): Bindings {
  version = env.VERSION?.id ?? '';
  return env;
}

export function runningVersion(): string {
  return version;
}

/** What a log may hold: never a value from a body, a token or a query string. */
type Facts = Readonly<Record<string, string | number | boolean | null | undefined>>;

export function log(event: string, facts: Facts): void {
  console.log(lineOf({ event, ...facts, version }));
}

/** Writes what went wrong and has to be looked at; `error` is what was thrown. */
export function logError(event: string, error: unknown, facts: Facts = {}): void {
  const { name, message } = error instanceof Error ? error : { name: typeof error, message: '' };
  console.error(lineOf({ event, error: name, message, ...facts, version }));
}

/** How an object is printed (Node.js, util.inspect.custom). It is not enumerable, so that it is no field. */
const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/** An object that holds what is known and is printed as JSON. */
function lineOf(facts: Facts): object {
  const known = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
  return Object.defineProperty(known, INSPECT, { value: () => JSON.stringify(known) });
}
