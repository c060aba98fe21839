/** What every command does around its work. */

import { Interruption, interruptionSignal } from './interruption.ts';
import { asksForHelp, UsageError } from './usage.ts';

/**
 * Runs a command, or shows how it is used where that is asked for. What cannot be done is said on standard error, with the
 * usage when the command line is at fault, and the exit code is 1.
 *
 * @param work - Does it; gets the command line, and what is aborted when it is to end early.
 * @param interruption - What ends the work early, where more is said then than that it was interrupted.
 */
export async function runCommand(
  usage: string,
  work: (args: string[], interruption: AbortSignal) => void | Promise<void>,
  interruption = interruptionSignal(),
): Promise<void> {
  // with-node.mjs is gone, which started this for npm.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel?.unref();
  const args = process.argv.slice(2);
  try {
    if (asksForHelp(args)) console.log(usage);
    else await work(args, interruption);
  } catch (thrown) {
    // What was under way fails in its own words.
    const error: unknown = interruption.aborted ? interruption.reason : thrown;
    const message = error instanceof Error ? error.message : String(error);
    if (message !== '') console.error(message);
    if (error instanceof UsageError) console.error(`\n${usage}`);
    process.exitCode = error instanceof Interruption ? error.exitCode : 1;
  }
}
