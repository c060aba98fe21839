/**
 * Posts changes of alarms to the webhook, once.
 *
 * What was posted is kept in one object, which is only replaced when it has not changed since it was read. A run first
 * claims what it is going to post there, so that only one of two runs posts. When that run is killed, or the webhook
 * does not confirm, the next run posts again: better twice than never.
 */

import * as v from 'valibot';
import type { Config } from '../config.ts';
import { timestamp } from '../contract/kinds.ts';
import { type Configured, webhookOf } from '../health/checks.ts';
import { ANSWER_TIMEOUT_MS, type Observable, observe } from '../health/observe.ts';
import { answerOf } from '../http/with-timeout.ts';
import type { Clock } from '../storage/clock.ts';
import { uuidv7 } from '../storage/event-id.ts';
import { ALARMS_KEY } from '../storage/keys.ts';
import { readShownTokens } from '../storage/shown-tokens.ts';
import { readState, swapState } from '../storage/state.ts';
import { conditionsOf } from './conditions.ts';
import { POST_TIMEOUT_MS, post } from './post.ts';
import { type Alarms, AlarmsSchema, compareAlarms } from './transitions.ts';

/** The content of `alarms/state.json`. */
const AlarmStateSchema = v.object({
  alarms: AlarmsSchema,
  /** Until when one run alone may post. Null when no run is posting. */
  claimed_until: v.nullable(timestamp),
  /** The run that wrote this. Without it, equal states would have the same ETag. */
  run: v.string(),
});

/** How long a claim holds, in milliseconds: several times as long as the post and the writes around it. */
const CLAIM_MS = 6 * POST_TIMEOUT_MS;

type Alarmed = Observable & Configured & Pick<Config, 'bucket' | 'landingQueue'>;

/**
 * Runs the checks and posts what has changed. Does nothing without a webhook.
 *
 * @throws When R2 does not answer: what cannot be recorded is not posted, since it would be posted every minute.
 */
export async function notify(config: Alarmed, clock: Clock): Promise<void> {
  const { bucket, alertWebhook = '', landingQueue } = config;
  const webhook = webhookOf(alertWebhook);
  if (webhook === undefined) return;
  const remedy = 'delete it, and what is wrong now is posted again';
  const { value, ...last } = await readState(bucket, ALARMS_KEY, AlarmStateSchema, remedy);
  const now = new Date(clock.now());
  if (value?.claimed_until && Date.parse(value.claimed_until) > now.getTime()) return;

  const before = value?.alarms ?? {};
  const observed = await observe(config);
  const readShown = () => readShownTokens(bucket, now.getTime());
  const shown = await answerOf('shown_tokens_unknown', readShown, ANSWER_TIMEOUT_MS);
  const { messages, posted, unposted } = compareAlarms(before, conditionsOf(observed, config, now, shown), now);
  const run = uuidv7();
  const write = (alarms: Alarms, claimed_until: string | null, from: Pick<typeof last, 'etag' | 'writtenAt'>) =>
    swapState(bucket, ALARMS_KEY, { alarms, claimed_until, run }, from, clock);

  if (messages.length === 0) {
    if (JSON.stringify(unposted) !== JSON.stringify(before)) await write(unposted, null, last);
    return;
  }
  // As if it were not confirmed: a run that is killed from here on may have posted or not.
  const claimed = await write(unposted, new Date(now.getTime() + CLAIM_MS).toISOString(), last);
  if (claimed === undefined) return;
  const confirmed = await post(webhook, textOf(landingQueue, messages));
  await write(confirmed ? posted : unposted, null, claimed);
}

/** @param service - The name of the queue, which is also the name of the service and its environment. */
function textOf(service: string, messages: readonly string[]): string {
  return [`${service}:`, ...messages, 'What to do: docs/operating.md, Runbook'].join('\n');
}
