/** What every command does around its work. */

import { Interruption } from './interruption.ts';
import { asksForHelp, UsageError } from './usage.ts';

/**
 * Runs a command, or shows how it is used where that is asked for. What cannot be done is said on standard error, with the
 * usage when the command line is at fault, and the exit code is 1.
 *
 * @param work - Does it; gets the command line.
 * @param interruption - What has ended the work early, when it is aborted.
 */
export async function runCommand(
  usage: string,
  work: (args: string[]) => void | Promise<void>,
  interruption?: AbortSignal,
): Promise<void> {
  // with-node.mjs is gone, which started this for npm.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.channel?.unref();
  const args = process.argv.slice(2);
  try {
    if (asksForHelp(args)) console.log(usage);
    else await work(args);
  } catch (thrown) {
    // What was under way fails in its own words.
    const error: unknown = interruption?.aborted ? interruption.reason : thrown;
    const message = error instanceof Error ? error.message : String(error);
    if (message !== '') console.error(message);
    if (error instanceof UsageError) console.error(`\n${usage}`);
    process.exitCode = error instanceof Interruption ? error.exitCode : 1;
  }
}
