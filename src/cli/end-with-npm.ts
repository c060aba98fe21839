/** Ending with npm. */

/** How often it is looked whether the parent is there, in milliseconds. */
const INTERVAL_MS = 500;

/**
 * Ends this process as SIGTERM does when with-node.mjs, which npm runs, is gone. On Windows a process does not learn of it.
 */
export function endWithNpm(): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, INTERVAL_MS);
  timer.unref();
}
