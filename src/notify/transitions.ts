/** Compares what was posted with the current conditions, and decides what to post. Pure. */

import * as v from 'valibot';
import { timestamp } from '../contract/kinds.ts';
import type { Conditions } from './conditions.ts';

const AlarmSchema = v.object({
  /** Whether the last message posted says that the alarm is raised. */
  raised: v.boolean(),
  /** When the state that was posted began. */
  since: timestamp,
  posted_at: timestamp,
  /** When a check first found a different state. Null while the state is as posted. */
  differs_since: v.nullable(timestamp),
  /** Whether a change was posted and not confirmed, so that the webhook may or may not have it. */
  unconfirmed: v.boolean(),
});

/** The state kept of all alarms that are raised, or about to be. */
export const AlarmsSchema = v.record(v.string(), AlarmSchema);

type Alarm = v.InferOutput<typeof AlarmSchema>;

export type Alarms = v.InferOutput<typeof AlarmsSchema>;

/** The messages to post, and the states to keep when they were posted (`posted`) and when they were not (`unposted`). */
export interface Transitions {
  readonly messages: readonly string[];
  readonly posted: Alarms;
  readonly unposted: Alarms;
}

const REPEAT_MS = 24 * 3_600_000;

/**
 * Compares all alarms. A change is posted when a second check finds it too, so that one slow answer of a store raises no
 * alarm.
 *
 * @param before - The state kept so far.
 */
export function compareAlarms(before: Alarms, conditions: Conditions, now: Date): Transitions {
  const messages: string[] = [];
  const posted: Alarms = {};
  const unposted: Alarms = {};
  for (const name of new Set([...Object.keys(before), ...conditions.keys()])) {
    const alarm = before[name] ?? quiet(now);
    const finding = conditions.get(name);
    const next = finding === undefined ? { posted: alarm, unposted: alarm } : compareAlarm(name, alarm, finding, now);
    if ('message' in next) messages.push(next.message);
    if (isWorthKeeping(next.posted)) posted[name] = next.posted;
    if (isWorthKeeping(next.unposted)) unposted[name] = next.unposted;
  }
  return { messages, posted, unposted };
}

/**
 * Compares one alarm. Without a message, `posted` and `unposted` are equal. When a change was not confirmed and no longer
 * holds, the state before it is posted again, since the webhook may have got the change.
 */
function compareAlarm(
  name: string,
  alarm: Alarm,
  finding: string | null,
  now: Date,
): { readonly posted: Alarm; readonly unposted: Alarm; readonly message?: string } {
  const time = now.toISOString();
  const same = { ...alarm, differs_since: null };
  if ((finding !== null) === alarm.raised) {
    const isRecent = now.getTime() - Date.parse(alarm.posted_at) < REPEAT_MS;
    if (!alarm.unconfirmed && (finding === null || isRecent)) return { posted: same, unposted: same };
    const lasted = lasting(alarm.since, now);
    const message =
      finding === null ? `CLEARED ${name}, after ${lasted}` : `STILL RAISED ${name}, for ${lasted}: ${finding}`;
    return { message, posted: { ...same, posted_at: time, unconfirmed: false }, unposted: same };
  }
  if (alarm.differs_since === null) {
    const noticed = { ...alarm, differs_since: time };
    return { posted: noticed, unposted: noticed };
  }
  const message =
    finding === null ? `CLEARED ${name}, after ${lasting(alarm.since, now)}` : `RAISED ${name}: ${finding}`;
  const changed = {
    raised: finding !== null,
    since: alarm.differs_since,
    posted_at: time,
    differs_since: null,
    unconfirmed: false,
  };
  return { message, posted: changed, unposted: { ...alarm, unconfirmed: true } };
}

function quiet(now: Date): Alarm {
  const time = now.toISOString();
  return { raised: false, since: time, posted_at: time, differs_since: null, unconfirmed: false };
}

function isWorthKeeping({ raised, differs_since, unconfirmed }: Alarm): boolean {
  return raised || differs_since !== null || unconfirmed;
}

function lasting(since: string, now: Date): string {
  const minutes = Math.round((now.getTime() - Date.parse(since)) / 60_000);
  return minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`;
}
