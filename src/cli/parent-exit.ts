/** Ending with npm. */

/** How often it is looked whether the parent is there, in milliseconds. */
const INTERVAL_MS = 500;

/**
 * Calls `onExit` when the shell in which npm runs a script is gone. npm passes SIGTERM to that shell, which ends without
 * passing it on. On Windows a process does not learn of it.
 */
export function watchNpm(onExit: () => void): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onExit();
  }, INTERVAL_MS);
  timer.unref();
}
