/** Which version of the Worker runs. An isolate runs one version only, so it is kept once for all log lines and data points. */

let version = '';

/** Remembers the version of an environment, and hands the environment on. */
export function withVersion<Bindings extends { readonly VERSION?: { readonly id: string } }>(env: Bindings): Bindings {
  version = env.VERSION?.id ?? '';
  return env;
}

/** The ID that the platform has given the running version; empty where there is none. */
export function runningVersion(): string {
  return version;
}
