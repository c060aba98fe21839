/** Checks that everything needed to accept, land and publish events works. Pure. */

import type { Config } from '../config.ts';
import type { Backlog, Observed, Publisher } from './observe.ts';

/** The result of a check: undefined when it passes, otherwise what is wrong, in words that may be public. */
type Finding = string | undefined;

export interface Configured
  extends Pick<Config, 'tokenFaults' | 'publishAfterMs' | 'tableCron' | 'alertWebhook' | 'pseudonymKeyFault'> {
  readonly tokens: Pick<Config['tokens'], 'size'>;
}

const MINUTE_MS = 60_000;

/** How long a message may wait: batches close within 60 s, so a longer wait means that the consumer keeps failing. */
const MAX_BACKLOG_AGE_MS = 15 * MINUTE_MS;

/** How long ago the last run may have started or succeeded: one starts every minute, and a long one takes minutes. */
const MAX_RUN_AGE_MS = 15 * MINUTE_MS;

/** How long an object may wait in `landing/` before the first run: a new cron can take 15 minutes to start. */
const MAX_FIRST_RUN_MS = 30 * MINUTE_MS;

/** How far `complete_through` may lag beyond how long rows wait: certainty takes half an hour, and a run may fail. */
const MAX_LAG_MS = 120 * MINUTE_MS;

/**
 * Runs all checks on what was observed at the time `now`.
 *
 * @returns The findings, by the names that `/readyz` and alarms give the checks.
 */
export function check({ queues, publisher }: Observed, config: Configured, now: Date) {
  return {
    secrets: checkSecrets(config),
    queue: queues.events === undefined ? 'The queue does not answer' : undefined,
    backlog: checkBacklog('Events', queues.events, now),
    dead_letters:
      checkBacklog('Dead letters', queues.deadLetters, now) ??
      checkBacklog('Dead letters of refused bodies', queues.rejectedDeadLetters, now),
    rejected: checkBacklog('Refused bodies', queues.rejected, now),
    bucket: publisher === undefined ? 'The bucket does not answer' : undefined,
    published: checkPublisher(publisher, config.publishAfterMs, now),
    watermark: checkReadings(publisher?.lastRun?.without_age_since, now),
    table: config.tableCron === undefined ? undefined : checkTable(publisher, now),
    erasures: checkErasures(publisher?.lastRun?.unfinished_erasure_since, now),
  } satisfies Readonly<Record<string, Finding>>;
}

function checkSecrets({ tokens, tokenFaults, alertWebhook, pseudonymKeyFault }: Configured): Finding {
  if (tokenFaults.length > 0) return 'API_TOKEN or API_TOKENS cannot be read; the log line tokens_unreadable says why';
  if (tokens.size === 0) return 'No token is configured; set API_TOKEN or API_TOKENS';
  if (alertWebhook !== undefined && webhookOf(alertWebhook) === undefined)
    return 'ALERT_WEBHOOK is not an https address, so alarms are posted nowhere; set it again, or delete it';
  return pseudonymKeyFault;
}

/**
 * Parses ALERT_WEBHOOK, the address to which alarms are posted. It is a secret: anyone who has it can post there.
 *
 * @returns The address. Undefined unless it is https or on this machine.
 */
export function webhookOf(secret: string): URL | undefined {
  const url = URL.parse(secret);
  const isLocal = url?.protocol === 'http:' && ['localhost', '127.0.0.1'].includes(url.hostname);
  return url !== null && (url.protocol === 'https:' || isLocal) ? url : undefined;
}

function checkBacklog(what: string, backlog: Backlog | undefined, now: Date): Finding {
  if (backlog === undefined) return `${what}: it is not known what waits, since the queue does not answer`;
  if (backlog.count === 0) return undefined;
  if (backlog.oldest === undefined) return `${what} wait, and the queue does not say since when`;
  const age = ageOf(backlog.oldest, now);
  return age > MAX_BACKLOG_AGE_MS ? `${what} have waited for ${minutes(age)}` : undefined;
}

function checkPublisher(publisher: Publisher | undefined, publishAfterMs: number, now: Date): Finding {
  if (publisher === undefined) return 'It is not known when the publisher ran, since the bucket does not answer';
  const { lastRun, watermark, landed, unreadable } = publisher;
  if (unreadable.length > 0) {
    return `${unreadable.join(' and ')} cannot be read: this service did not write it so; delete it to have it made anew`;
  }
  const words = { name: 'publisher', waiting: 'events', cron: 'PUBLISH_CRON', failure: 'run_failed' };
  const finding = checkRuns(words, lastRun && { ...lastRun, at: lastRun.started_at }, landed, now);
  const isBehind = ageOf(watermark?.complete_through, now) > publishAfterMs + MAX_LAG_MS;
  return finding ?? (isBehind ? `Published files are complete only up to ${watermark?.complete_through}` : undefined);
}

/** How far the table may lag behind `events/`. */
const MAX_TABLE_LAG_MS = 60 * MINUTE_MS;

/** Passes when the state of the publisher is unknown, which `published` reports. */
function checkTable(publisher: Publisher | undefined, now: Date): Finding {
  if (publisher === undefined) return undefined;
  const { watermark } = publisher;
  const { lastRun, waiting } = publisher.table;
  const words = { name: 'writer of the table', waiting: 'rows', cron: 'TABLE_CRON', failure: 'table_failed' };
  const finding = checkRuns(words, lastRun && { ...lastRun, at: lastRun.ended_at }, waiting, now);
  if (finding !== undefined || !lastRun?.complete_through || watermark === null) return finding;
  const lag = Date.parse(watermark.complete_through) - Date.parse(lastRun.complete_through);
  const isBehind = lastRun.log_sequence < watermark.log_sequence && lag > MAX_TABLE_LAG_MS;
  return isBehind ? `The table is complete only up to ${lastRun.complete_through}` : undefined;
}

/**
 * Checks that what a cron trigger starts runs and succeeds.
 *
 * @param words - How findings name it, what waits for it, its variable, and its log line of a failure.
 * @param run - The record of its last run, null before the first.
 * @param waiting - Since when something waits for the first run.
 */
function checkRuns(
  { name, waiting: what, cron, failure }: Readonly<Record<'name' | 'waiting' | 'cron' | 'failure', string>>,
  run: { readonly at: string; readonly ended: string; readonly last_good_at: string | null } | null,
  waiting: Date | null,
  now: Date,
): Finding {
  const waited = run === null ? ageOf(waiting, now) : 0;
  if (waited > MAX_FIRST_RUN_MS) return `The ${name} has never run, and ${what} wait for ${minutes(waited)}`;
  const age = ageOf(run?.at, now);
  if (age > MAX_RUN_AGE_MS) return `The ${name} has not run for ${minutes(age)}; see whether ${cron} is still there`;
  if (run?.last_good_at === null && run.ended === 'failed')
    return `The first runs of the ${name} fail; see the log line ${failure}`;
  const goodAge = ageOf(run?.last_good_at, now);
  if (goodAge <= MAX_RUN_AGE_MS) return undefined;
  return `No run of the ${name} has succeeded for ${minutes(goodAge)}; see the log line ${failure}`;
}

/** How long readings of the queue may lack the age of its oldest message before nothing more counts as complete. */
const MAX_WITHOUT_AGE_MS = 30 * MINUTE_MS;

function checkReadings(since: string | null | undefined, now: Date): Finding {
  const age = ageOf(since, now);
  if (age <= MAX_WITHOUT_AGE_MS) return undefined;
  return `For ${minutes(age)} the queue has not said since when its oldest message waits, so that nothing more counts as complete`;
}

/** How long an erasure may take: most take a few hours, those of many parts and of the table longer. */
const MAX_ERASURE_MS = 24 * 60 * MINUTE_MS;

function checkErasures(unfinishedSince: string | null | undefined, now: Date): Finding {
  if (ageOf(unfinishedSince, now) <= MAX_ERASURE_MS) return undefined;
  return `A guest was to be erased at ${unfinishedSince} and is not yet; see the log lines erased and erasure_failed`;
}

/** In milliseconds; 0 when there is no time. */
function ageOf(time: string | Date | null | undefined, now: Date): number {
  return time ? now.getTime() - new Date(time).getTime() : 0;
}

function minutes(milliseconds: number): string {
  return `${Math.floor(milliseconds / MINUTE_MS)} minutes`;
}
