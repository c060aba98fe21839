/** `npm run replay`: posts refused bodies again. */

import { runCommand } from './command.ts';
import { LOCAL_ENDPOINT, tokenFor } from './destination.ts';
import { GOES_ON, interruptionSignal } from './interruption.ts';
import { listHours } from './list-hours.ts';
import { mapWithProgress } from './map-with-progress.ts';
import { createObjectStore } from './object-store.ts';
import { createPost, type Post } from './replay/post.ts';
import { REPLAY_USAGE, readReplayOptions } from './replay/replay-options.ts';
import { startReplay } from './replay/replay-rejections.ts';
import { STORE_HELP, storeLocation } from './store-location.ts';
import { UsageError } from './usage.ts';

const HELP = `${REPLAY_USAGE}

Environment
${STORE_HELP}`;

const signal = interruptionSignal(GOES_ON);

await runCommand(HELP, (args) => replay(readReplayOptions(args)), signal);

async function replay({ range, yes, url, sender }: ReturnType<typeof readReplayOptions>): Promise<void> {
  // Without the signal: an accepted body has to be recorded even after an interruption.
  const store = createObjectStore(storeLocation());
  const post = yes ? postTo(url) : undefined;
  const running = await startReplay(store, post, sender, (line) => console.log(line), signal);
  const objects = await Array.fromAsync(listHours(store, 'rejected', range));
  const remark = () => 'objects';
  await mapWithProgress(objects, ({ key }) => running.replayObject(key), {
    label: 'Replaying',
    concurrency: 1,
    signal,
    remark,
  });
  console.log(running.summary());
}

/** @throws UsageError when the bucket is in production, and the service may be elsewhere. */
function postTo(given: URL | undefined): Post {
  if (given === undefined && process.env.R2_URL) {
    throw new UsageError('Cannot replay to production without its address: give --url');
  }
  const url = given ?? LOCAL_ENDPOINT;
  return createPost(url.href, tokenFor(url), signal);
}
