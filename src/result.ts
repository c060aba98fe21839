/**
 * An expected failure is a value, so that the compiler makes every caller handle it. Exceptions are reserved for bugs
 * and broken infrastructure. Pure.
 */

/** A value, or the reason why there is none. */
export type Result<Value, Failure> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: Failure };

export function ok<Value>(value: Value): { readonly ok: true; readonly value: Value } {
  return { ok: true, value };
}

export function fail<Failure>(error: Failure): { readonly ok: false; readonly error: Failure } {
  return { ok: false, error };
}
