/**
 * An expected failure is a value, so that the compiler makes every caller look at it. Exceptions are left for bugs and
 * for infrastructure that is out of order. Pure.
 */

/** The value that was asked for, or the reason why there is none. */
export type Result<Value, Failure> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: Failure };

export function ok<Value>(value: Value): { readonly ok: true; readonly value: Value } {
  return { ok: true, value };
}

/** A failure that the caller has to handle. */
export function fail<Failure>(error: Failure): { readonly ok: false; readonly error: Failure } {
  return { ok: false, error };
}
