/** `npm run send`: the events of a file, or made ones, to a service. */

import { intentionOf } from '../http/check-only.ts';
import { runCommand } from './command.ts';
import { LOCAL_ENDPOINT, tokenFor } from './destination.ts';
import { IN_BATCHES, ONE_AT_A_TIME, takesBatches } from './send/batch.ts';
import { countEvents, openInput } from './send/input.ts';
import { withKeys } from './send/outgoing.ts';
import { sendAll } from './send/send-all.ts';
import { readSendOptions, SEND_USAGE, type SendOptions } from './send/send-options.ts';
import { openSentLog, type SentLogFiles } from './send/sent-log.ts';
import { startSummary } from './send/summary.ts';
import { showProgress } from './show-progress.ts';
import { formatTable } from './table.ts';

const INTERRUPTED = new Error('Interrupted; run the same command again, it goes on from here');

const interruption = new AbortController();
process.once('SIGINT', () => interruption.abort(INTERRUPTED));

await runCommand(SEND_USAGE, async (args) => {
  process.exitCode = await send(readSendOptions(args));
});

/** Sends what there is to send. Returns the exit code: 0 when no event was refused or is left. */
async function send(options: SendOptions): Promise<number> {
  const source = openInput(options.source);
  const url = options.url ?? LOCAL_ENDPOINT;
  const target = { url, token: tokenFor(url), signal: interruption.signal };
  const files = filesOf(source.name, url);
  const total = await countEvents(source);
  const sentLog = await openSentLog(files);
  const progress = showProgress('Sending', total);
  const summary = startSummary();
  const { concurrency } = options;
  const { before, done, failure } = await sendAll(withKeys(source.events()), {
    target,
    sentLog,
    summary,
    progress,
    limits: (await takesBatches(url)) ? IN_BATCHES : ONE_AT_A_TIME,
    concurrency,
  });
  progress.end();
  await sentLog.close();

  for (const table of summary.tables()) console.log(`\n${formatTable(table).trimEnd()}`);
  console.log('');
  const { accepted, checked, refused } = summary;
  const good =
    intentionOf(url.href) === 'check' ? `${checked} would be accepted, nothing is stored` : `${accepted} accepted`;
  console.log(`${good}, ${refused} refused, ${before} done before, ${total - done} still to send`);
  console.log(`Answers    ${files.sent}`);
  if (refused > 0) console.log(`Refused    ${files.refused}`);
  if (failure !== undefined) console.error((target.signal.aborted ? INTERRUPTED : failure).message);
  return refused === 0 && done === total ? 0 : 1;
}

/** The notes of one source and one service; checks have notes of their own. */
function filesOf(source: string, { host, search }: URL): SentLogFiles {
  const name = `${source}.${`${host}${search}`.replaceAll(/[^\w.]/g, '-')}`;
  return { sent: `${name}.sent.ndjson`, refused: `${name}.refused.ndjson` };
}
