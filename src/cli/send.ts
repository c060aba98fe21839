/** `npm run send`: the events of a file, or made ones, to a service. */

import { intentionOf } from '../http/check-only.ts';
import { runCommand } from './command.ts';
import { LOCAL_ENDPOINT, tokenFor } from './destination.ts';
import { GOES_ON, interruptionSignal } from './interruption.ts';
import { countEvents, openInput } from './send/input.ts';
import { withKeys } from './send/outgoing.ts';
import { sendAll } from './send/send-all.ts';
import { readSendOptions, SEND_USAGE, type SendOptions } from './send/send-options.ts';
import { openSentLog, type SentLogFiles } from './send/sent-log.ts';
import { startSummary } from './send/summary.ts';
import { showProgress } from './show-progress.ts';
import { formatTable } from './table.ts';

const signal = interruptionSignal(GOES_ON);

await runCommand(SEND_USAGE, (args) => send(readSendOptions(args)), signal);

/** Sends what there is to send. The exit code is 0 when no event was refused or is left. */
async function send({ source, url = LOCAL_ENDPOINT, concurrency }: SendOptions): Promise<void> {
  const input = openInput(source);
  const target = { url, token: tokenFor(url), signal };
  const files = filesOf(input.name, url);
  const total = await countEvents(input);
  const sentLog = await openSentLog(files);
  const progress = showProgress('Sending', total);
  const summary = startSummary();
  const sent = await sendAll(withKeys(input.events()), { target, sentLog, summary, progress, concurrency });
  const { before, done, unknown, failure } = sent;
  progress.end();
  await sentLog.close();

  for (const table of summary.tables()) console.log(`\n${formatTable(table).trimEnd()}`);
  const { accepted, checked, refused } = summary;
  const left = total - done - unknown;
  const counts = [
    intentionOf(url.href) === 'check' ? `${checked} would be accepted, nothing is stored` : `${accepted} accepted`,
    `${refused} refused`,
    ...(unknown > 0 ? [`${unknown} not known: they were sent, and no answer came`] : []),
    `${before} done before`,
    `${left} still to send`,
  ];
  console.log(`\n${counts.join(', ')}\nAnswers    ${files.sent}`);
  if (refused > 0) console.log(`Refused    ${files.refused}`);
  if (failure !== undefined) throw failure;
  if (refused > 0) process.exitCode = 1;
}

/** The notes of one source and one service; checks have notes of their own. */
function filesOf(source: string, { host, search }: URL): SentLogFiles {
  const name = `${source}.${`${host}${search}`.replaceAll(/[^\w.]/g, '-')}`;
  return { sent: `${name}.sent.ndjson`, refused: `${name}.refused.ndjson` };
}
