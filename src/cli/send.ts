/** `npm run send`: sends the events of a file to a service. */

import { statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { intentionOf } from '../http/check-only.ts';
import { runCommand } from './command.ts';
import { LOCAL_ENDPOINT, tokenFor } from './destination.ts';
import { lockFolder } from './folder-lock.ts';
import { GOES_ON, interruptionSignal } from './interruption.ts';
import { withKeys } from './send/outgoing.ts';
import { readEvents } from './send/read-events.ts';
import { type Sending, sendAll } from './send/send-all.ts';
import { readSendOptions, SEND_USAGE } from './send/send-options.ts';
import { openSentLog, type SentLogFiles } from './send/sent-log.ts';
import { startSummary } from './send/summary.ts';
import { showProgress } from './show-progress.ts';
import { formatTable } from './table.ts';
import { UsageError } from './usage.ts';

const signal = interruptionSignal(GOES_ON);

await runCommand(SEND_USAGE, (args) => send(readSendOptions(args)), signal);

/** Sends the events that have no answer yet. The exit code is 0 if none was refused and none is left. */
async function send({ file, url = LOCAL_ENDPOINT }: ReturnType<typeof readSendOptions>): Promise<void> {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) throw new UsageError(`Cannot read ${file}: there is no such file`);
  if (stats.isDirectory()) throw new UsageError(`Cannot read ${file}: it is a folder; name one file in it`);
  const target = { url, token: tokenFor(url), signal };
  const files = filesOf(file, url);
  const total = await countEvents(file);
  if (total === 0) return console.log(`There are no events in ${file}: nothing is sent`);
  const unlock = lockFolder(dirname(file), `.${basename(files.sent)}`);
  try {
    await sendEvents(file, target, total, files);
  } finally {
    unlock();
  }
}

async function sendEvents(file: string, target: Sending['target'], total: number, files: SentLogFiles): Promise<void> {
  const sentLog = await openSentLog(files);
  const progress = showProgress('Sending', total);
  const summary = startSummary();
  const sent = await sendAll(withKeys(readEvents(file)), { target, sentLog, summary, progress });
  const { before, done, unknown, failure } = sent;
  progress.end();
  await sentLog.close();

  for (const table of summary.tables()) console.log(`\n${formatTable(table).trimEnd()}`);
  const { accepted, checked, refused } = summary.outcomes;
  const left = total - done - unknown;
  const counts = [
    intentionOf(target.url.href) === 'check'
      ? `${checked} would be accepted, nothing is stored`
      : `${accepted} accepted`,
    `${refused} refused`,
    ...(unknown > 0 ? [`${unknown} unknown: they were sent, and no answer came`] : []),
    `${before} done before`,
    `${left} still to send`,
  ];
  console.log(`\n${counts.join(', ')}\nAnswers    ${files.sent}`);
  if (refused > 0) console.log(`Refused    ${files.refused}`);
  if (failure !== undefined) throw failure;
  if (refused > 0) process.exitCode = 1;
}

/** The answer files for one input file and one service. Runs with `?check` have their own. */
function filesOf(file: string, { host, search }: URL): SentLogFiles {
  const name = `${file}.${`${host}${search}`.replaceAll(/[^\w.]/g, '-')}`;
  return { sent: `${name}.sent.ndjson`, refused: `${name}.refused.ndjson` };
}

/** Counts the events for the progress display, and checks that all can be read before any is sent. */
async function countEvents(file: string): Promise<number> {
  let count = 0;
  for await (const _ of readEvents(file)) count += 1;
  return count;
}
