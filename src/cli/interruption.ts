/** Ends a command before its work is done. */

/** For commands that continue where they stopped when they are run again. */
export const GOES_ON = 'Interrupted; run the same command again to continue from here';

/** The reason why a command ends early. */
export class Interruption extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** A shell reports 128 plus the number of the signal that ended a command. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/**
 * A signal that is aborted by Ctrl+C, by `kill`, when the terminal closes, and when the reader of the output stops
 * reading, as `head` does. The command then cleans up; if that takes too long, a second Ctrl+C exits at once.
 *
 * @param message - Printed in that case.
 */
export function interruptionSignal(message = 'Interrupted'): AbortSignal {
  const controller = new AbortController();
  for (const [name, exitCode] of Object.entries(EXIT_CODES)) {
    let times = 0;
    process.on(name, () => {
      times += 1;
      // npm and with-node.mjs may forward, as SIGTERM, what the terminal has sent here, too.
      if (times > 1 && name === 'SIGINT') process.exit(exitCode);
      controller.abort(new Interruption(message, exitCode));
    });
  }
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      controller.abort(error.code === 'EPIPE' ? new Interruption('', 0) : error);
    });
  }
  return controller.signal;
}
