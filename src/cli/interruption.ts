/** Ending a command before its work is done. */

/** What is said when the next run of the same command has less to do. */
export const GOES_ON = 'Interrupted; run the same command again, it goes on from here';

/** Why a command ends early. */
export class Interruption extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** A shell adds 128 to the number of the signal that ended a command. */
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/**
 * A signal that is aborted by Ctrl+C, by `kill`, when the terminal closes, and when the program that reads the output has
 * seen enough, as `head` does. What the command holds is cleared away then; when that takes too long, a second
 * Ctrl+C ends it at once.
 *
 * @param message - What is said then.
 */
export function interruptionSignal(message = 'Interrupted'): AbortSignal {
  const controller = new AbortController();
  for (const [name, exitCode] of Object.entries(EXIT_CODES)) {
    let times = 0;
    process.on(name, () => {
      times += 1;
      // npm and with-node.mjs may pass on, as SIGTERM, what the terminal has sent here too.
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
