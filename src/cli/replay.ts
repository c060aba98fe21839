/** `npm run replay`: refused bodies, once more. */

import pThrottle from 'p-throttle';
import { runCommand } from './command.ts';
import { LOCAL_ENDPOINT, tokenFor } from './destination.ts';
import { GOES_ON, interruptionSignal } from './interruption.ts';
import { mapWithProgress } from './map-with-progress.ts';
import { openStore } from './object-store.ts';
import { ANSWER_TIMEOUT_MS } from './post-with-timeout.ts';
import { createPost } from './replay/post.ts';
import { REPLAY_USAGE, type ReplayOptions, readReplayOptions } from './replay/replay-options.ts';
import { replayRejections } from './replay/replay-rejections.ts';
import { readReplayed } from './replay/replayed.ts';
import { select } from './replay/select.ts';
import { startTally } from './replay/tally.ts';
import { STORE_HELP, storeLocation } from './store-location.ts';
import { UsageError } from './usage.ts';

const HELP = `${REPLAY_USAGE}

Environment
${STORE_HELP}`;

const signal = interruptionSignal(GOES_ON);

await runCommand(HELP, (args) => replay(readReplayOptions(args)), signal);

async function replay({ selection, yes, rate, url, sender }: ReplayOptions): Promise<void> {
  // Not ended by the signal: what was taken has to be noted.
  const store = openStore(storeLocation());
  const replayed = await readReplayed(store, !yes);
  const tally = startTally(!yes, (line) => console.log(line));
  const post = yes ? createPost({ ...destination(url), rate, signal, timeoutMs: ANSWER_TIMEOUT_MS }) : undefined;
  const replayObject = pThrottle({ limit: rate, interval: 1_000, signal })((key: string) =>
    replayRejections(store, key, { replayed, tally, post, sender, signal }),
  );
  const keys = await Array.fromAsync(select(store, selection));
  const remark = () => 'objects';
  await mapWithProgress(keys, replayObject, { label: 'Replaying', concurrency: 1, signal, remark });
  console.log(tally.summary());
}

/** Where to post, and with which token. */
function destination(given: URL | undefined): { endpoint: string; token: string } {
  if (given === undefined && process.env.R2_URL) {
    throw new UsageError('Cannot replay to production without its address: give --url');
  }
  const url = given ?? LOCAL_ENDPOINT;
  return { endpoint: url.href, token: tokenFor(url) };
}
