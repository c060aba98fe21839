/** What every command does around its work. */

import { asksForHelp, UsageError } from './usage.ts';

/**
 * Runs a command, or shows how it is used where that is asked for. What cannot be done is said on standard error, with the
 * usage when the command line is at fault, and the exit code is 1.
 *
 * @param work - Does it; gets the command line.
 */
export async function runCommand(usage: string, work: (args: string[]) => void | Promise<void>): Promise<void> {
  const args = process.argv.slice(2);
  try {
    if (asksForHelp(args)) console.log(usage);
    else await work(args);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    if (error instanceof UsageError) console.error(`\n${usage}`);
    process.exitCode = 1;
  }
}
