/** `npm run replay`: dead letters and refused bodies, once more. */

import pThrottle from 'p-throttle';
import { runCommand } from './command.ts';
import { LOCAL_ENDPOINT, tokenFor } from './destination.ts';
import { openStore } from './object-store.ts';
import { ANSWER_TIMEOUT_MS } from './post-with-timeout.ts';
import { createPost } from './replay/post.ts';
import { replayDeadLetters } from './replay/replay-dead-letters.ts';
import { REPLAY_USAGE, type ReplayOptions, readReplayOptions } from './replay/replay-options.ts';
import { replayRejections } from './replay/replay-rejections.ts';
import { openReplayed } from './replay/replayed.ts';
import { select } from './replay/select.ts';
import { startTally } from './replay/tally.ts';
import { showProgress } from './show-progress.ts';
import { STORE_HELP, storeLocation } from './store-location.ts';
import { UsageError } from './usage.ts';

const INTERRUPTED = 'Interrupted; run the same command again, it goes on from here';

const interruption = new AbortController();
process.once('SIGINT', () => interruption.abort(new Error(INTERRUPTED)));

const HELP = `${REPLAY_USAGE}

Environment
${STORE_HELP}`;

await runCommand(HELP, (args) => replay(readReplayOptions(args)));

async function replay(options: ReplayOptions): Promise<void> {
  const { source, selection, dryRun, rate } = options;
  const store = openStore(storeLocation());
  const { signal } = interruption;

  const replayed = await openReplayed(store, source, dryRun);
  const tally = startTally(dryRun, (line) => console.log(line));
  const post =
    source === 'rejected' && !dryRun
      ? createPost({ ...destination(options), rate, signal, timeoutMs: ANSWER_TIMEOUT_MS })
      : undefined;
  const replayObject = pThrottle({ limit: rate, interval: 1_000 })((key: string) =>
    source === 'dead-letter'
      ? replayDeadLetters(store, key, { replayed, tally, dryRun })
      : replayRejections(store, key, { replayed, tally, post, sender: options.sender, signal }),
  );

  const keys = await Array.fromAsync(select(store, source, selection));
  const progress = showProgress('Replaying', keys.length);
  for (const [done, key] of keys.entries()) {
    signal.throwIfAborted();
    await replayObject(key);
    progress.update(done + 1, 'objects');
  }
  progress.end();
  console.log(tally.summary());
}

/** Where to post, and with which token. */
function destination({ endpoint }: ReplayOptions): { endpoint: string; token: string } {
  if (endpoint === undefined && process.env.R2_URL) {
    throw new UsageError('Cannot replay to production without its address: give --endpoint');
  }
  const url = endpoint ?? LOCAL_ENDPOINT;
  return { endpoint: url.href, token: tokenFor(url) };
}
