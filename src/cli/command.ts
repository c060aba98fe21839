import { getSystemErrorMessage } from 'node:util';
import { Interruption, interruptionSignal } from './interruption.ts';
import { asksForHelp, UsageError } from './usage.ts';

/**
 * Runs a command, or prints its usage on request. Errors go to standard error, followed by the usage if the command
 * line is at fault, and set the exit code to 1.
 *
 * @param work - Receives the command line, and a signal that is aborted when it should end early.
 * @param interruption - Given if an interruption should print more than that it happened.
 */
export async function runCommand(
  usage: string,
  work: (args: string[], interruption: AbortSignal) => void | Promise<void>,
  interruption = interruptionSignal(),
): Promise<void> {
  // with-node.mjs, which started this for npm, has ended.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel?.unref();
  const args = process.argv.slice(2);
  try {
    if (asksForHelp(args)) console.log(usage);
    else await work(args, interruption);
  } catch (thrown) {
    // Aborted work throws errors of its own.
    const error: unknown = interruption.aborted ? interruption.reason : thrown;
    const message = messageOf(error);
    if (message !== '') console.error(message);
    if (error instanceof UsageError) console.error(`\n${usage}`);
    process.exitCode = error instanceof Interruption ? error.exitCode : 1;
  }
}

/** What is said of an error. What the operating system refuses comes without what to do about it. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { errno, syscall = '', path } = error as NodeJS.ErrnoException;
  // A call about a file that is open names no path; one about a connection is nobody's path.
  if (typeof errno !== 'number' || (path === undefined && !/^(?:read|write)$/.test(syscall))) return error.message;
  const what = path === undefined ? `${syscall} a file` : `use ${path}`;
  return `Cannot ${what}: ${getSystemErrorMessage(errno)}; see that its path is right, that you may read and write there, and that there is room`;
}
