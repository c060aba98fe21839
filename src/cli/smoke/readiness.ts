/** Decides from the answer of /readyz whether a service can be smoke-tested. Pure. */

/** Checks of what piled up earlier: the deployment did not cause it, and a rollback would not repair it. */
const OLDER_THAN_A_DEPLOYMENT: readonly string[] = ['backlog', 'dead_letters', 'rejected', 'published'];

/** Whether every check passes, apart from those that say nothing about the deployed version. */
export function isFitForSmoke(status: number, answer: string): boolean {
  if (status === 200) return true;
  // An answer from elsewhere, such as an error page of the platform, names no checks.
  const failed = /"failed":\[([^\]]+)\]/.exec(answer)?.[1]?.split(',') ?? [];
  return failed.length > 0 && failed.every((name) => OLDER_THAN_A_DEPLOYMENT.includes(name.replaceAll('"', '')));
}
