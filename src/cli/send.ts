/** `npm run send`: the events of a file, or made ones, to a service. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { intentionOf } from '../http/check-only.ts';
import { runCommand } from './command.ts';
import { LOCAL_ENDPOINT, tokenFor } from './destination.ts';
import { generateStays } from './generate-stays.ts';
import { GOES_ON, interruptionSignal } from './interruption.ts';
import { PROJECT } from './project.ts';
import { type EventText, withKeys } from './send/outgoing.ts';
import { readEvents } from './send/read-events.ts';
import { sendAll } from './send/send-all.ts';
import { readSendOptions, SEND_USAGE, type SendOptions } from './send/send-options.ts';
import { openSentLog, type SentLogFiles } from './send/sent-log.ts';
import { startSummary } from './send/summary.ts';
import { showProgress } from './show-progress.ts';
import { formatTable } from './table.ts';
import { UsageError } from './usage.ts';

/** Where the notes about made events are kept. */
const GENERATED_DIR = join(PROJECT, '.wrangler/send');

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

/** Events that can be gone through more than once. */
interface Input {
  /** The start of the names of all files that belong to the input. */
  readonly name: string;
  events(): AsyncGenerator<EventText>;
}

/**
 * Opens what is to be sent.
 *
 * @throws UsageError when there is no such file.
 */
function openInput(source: SendOptions['source']): Input {
  if ('file' in source) {
    const { file } = source;
    if (!existsSync(file)) throw new UsageError(`Cannot read ${file}: there is no such file`);
    return { name: file, events: () => readEvents(file) };
  }
  const { generate: count, seed } = source;
  return { name: join(GENERATED_DIR, `generated-${seed}`), events: () => generate(count, seed) };
}

/** Counts the events, so that progress can be shown, and finds out whether all can be read before any is sent. */
async function countEvents(input: Input): Promise<number> {
  let count = 0;
  for await (const _ of input.events()) count += 1;
  return count;
}

async function* generate(count: number, seed: number): AsyncGenerator<EventText> {
  const stays = generateStays(seed);
  for (let line = 1; line <= count; line += 1) yield { line, body: JSON.stringify(stays.next().value) };
}
