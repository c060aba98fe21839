/** Whether a service is fit to be tried, from what /readyz answers. Pure. */

/** Checks of what has piled up before: a deployment has not caused it, and rolling it back would not repair it. */
const OLDER_THAN_A_DEPLOYMENT: readonly string[] = ['backlog', 'dead_letters', 'rejected', 'published'];

/** Whether every check passes, or no others fail than those that say nothing of the deployed version. */
export function isFitForSmoke(status: number, answer: string): boolean {
  if (status === 200) return true;
  // What is no answer of the service, an error page of the platform for one, names no checks.
  const failed = /"failed":\[([^\]]+)\]/.exec(answer)?.[1]?.split(',') ?? [];
  return failed.length > 0 && failed.every((name) => OLDER_THAN_A_DEPLOYMENT.includes(name.replaceAll('"', '')));
}
