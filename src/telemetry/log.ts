/**
 * Structured logs: one object a line, whose fields Workers Logs indexes (Workers Logs, Logging structured JSON). Where
 * the platform prints lines, as in local development, each is one line of JSON.
 */

/** The ID of the Worker's version, of which an isolate runs only one. Empty where the platform provides none. */
let version = '';

/** Remembers the version of an environment and returns the environment. */
export function withVersion<Bindings extends { readonly VERSION?: { readonly id: string } }>(env: Bindings): Bindings {
  version = env.VERSION?.id ?? '';
  return env;
}

export function runningVersion(): string {
  return version;
}

/** The fields of a log line: never a value from a body, a token or a query string. */
type Facts = Readonly<Record<string, string | number | boolean | null | undefined>>;

export function log(event: string, facts: Facts): void {
  console.log(lineOf({ event, ...facts, version }));
}

/** Logs a failure that needs attention. `error` is the value that was thrown. */
export function logError(event: string, error: unknown, facts: Facts = {}): void {
  const { name, message } = error instanceof Error ? error : { name: typeof error, message: '' };
  console.error(lineOf({ event, error: name, message, ...facts, version }));
}

/** Customises how an object is printed (Node.js, util.inspect.custom). Not enumerable, so that it is not a field. */
const INSPECT = Symbol.for('nodejs.util.inspect.custom');

/** An object of the defined facts that is printed as JSON. */
function lineOf(facts: Facts): object {
  const known = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
  return Object.defineProperty(known, INSPECT, { value: () => JSON.stringify(known) });
}
