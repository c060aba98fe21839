/** What has to be in order for events to be taken and landed. */

import type { Config } from '../config.ts';
import { withTimeout } from '../http/with-timeout.ts';
import { logError } from '../telemetry/log.ts';

/** The result of a check: nothing when all is well, or what is wrong, fit for anybody to read. */
type Finding = string | undefined;

/** The calls of the bindings that the checks make. */
export interface Checked extends Pick<Config, 'tokenFaults'> {
  readonly tokens: Pick<Config['tokens'], 'size'>;
  readonly events: Pick<Config['events'], 'metrics'>;
  readonly bucket: Pick<Config['bucket'], 'head'>;
}

/** How long a store may take to answer a check, in milliseconds: uptime monitors give up after some seconds. */
const ANSWER_TIMEOUT_MS = 2_000;

/** How long a message may wait, in milliseconds: batches close within 60 s, so this is a consumer that has failed a while. */
const MAX_BACKLOG_AGE_MS = 15 * 60_000;

/** Any key will do: R2 answers for one that does not exist as well. */
const PROBE_KEY = 'readyz';

/** Runs every check at once. */
export async function findings(checked: Checked, now: Date): Promise<Readonly<Record<string, Finding>>> {
  const [{ queue, backlog }, bucket] = await Promise.all([checkQueue(checked, now), checkBucket(checked)]);
  return { secrets: checkSecrets(checked), queue, backlog, bucket };
}

function checkSecrets({ tokens, tokenFaults }: Checked): Finding {
  if (tokenFaults.length > 0) return 'API_TOKEN or API_TOKENS cannot be read; the log line tokens_unreadable says why';
  if (tokens.size === 0) return 'No token is configured; set API_TOKEN or API_TOKENS';
  return undefined;
}

async function checkQueue({ events }: Checked, now: Date): Promise<{ queue: Finding; backlog: Finding }> {
  try {
    const { backlogCount, oldestMessageTimestamp } = await answerOf(events.metrics());
    const age = backlogCount > 0 && oldestMessageTimestamp ? now.getTime() - oldestMessageTimestamp.getTime() : 0;
    const late = age > MAX_BACKLOG_AGE_MS;
    return {
      queue: undefined,
      backlog: late ? `A message has waited for ${Math.floor(age / 60_000)} minutes` : undefined,
    };
  } catch (error) {
    logError('queue_unreachable', error);
    return { queue: 'The queue does not answer', backlog: 'The age of the backlog is not known' };
  }
}

async function checkBucket({ bucket }: Checked): Promise<Finding> {
  try {
    await answerOf(bucket.head(PROBE_KEY));
    return undefined;
  } catch (error) {
    logError('bucket_unreachable', error);
    return 'The bucket does not answer';
  }
}

/** @throws What the call throws, or an error that says that the time is up. */
async function answerOf<Value>(call: Promise<Value>): Promise<Value> {
  const answer = await withTimeout(call, ANSWER_TIMEOUT_MS);
  if (answer === undefined) throw new Error(`No answer within ${ANSWER_TIMEOUT_MS} ms`);
  return answer;
}
