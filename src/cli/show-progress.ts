/** Shows the progress of a long command, on standard error so that results can be piped. */

export type ProgressBar = ReturnType<typeof showProgress>;

const BAR_WIDTH = 30;
const TENTHS = 10;

/**
 * Shows progress towards `total`: a redrawn bar on a terminal, a line for each tenth elsewhere.
 *
 * @param label - What is being done, in a word or two.
 */
export function showProgress(label: string, total: number, stream: NodeJS.WriteStream = process.stderr) {
  let tenth = -1;
  const said = new Set<string>();
  return {
    /** Prints a message beside the progress; a repeated message only once. */
    say(text: string): void {
      if (said.has(text)) return;
      said.add(text);
      stream.write(stream.isTTY ? `\r\x1b[2K${text}\n` : `${text}\n`);
    },
    /** Shows how many items are done, and a short remark. */
    update(done: number, remark = ''): void {
      const share = total === 0 ? 1 : Math.min(done / total, 1);
      const filled = Math.round(share * BAR_WIDTH);
      const line = `${label.padEnd(12)} ${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)} ${done}/${total} ${remark}`;
      if (stream.isTTY) {
        stream.write(`\r\x1b[2K${line}`);
      } else if (Math.floor(share * TENTHS) > tenth) {
        tenth = Math.floor(share * TENTHS);
        stream.write(`${line}\n`);
      }
    },
    /** Leaves the last state on the screen. */
    end(): void {
      if (stream.isTTY) stream.write('\n');
    },
  };
}
