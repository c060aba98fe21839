/** One run: a seed decides everything that happens. */

import { ACTORS } from './actors.ts';
import { limit } from './environment.ts';
import { find } from './find-guest.ts';
import { GUESTS } from './guests.ts';
import { QUIET_MS, runTool } from './invoke.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from './profile.ts';
import { type Code, type Stage, setStage } from './stage.ts';

/** What came of a run. */
export interface Outcome {
  /** What did not hold; undefined when all did. */
  readonly violation: string | undefined;
  readonly steps: number;
  readonly events: number;
  readonly parts: number;
  /** Events that the watermark passed because the metrics were wrong. */
  readonly late: number;
  /** Of everything that was written: equal for equal runs. */
  readonly trace: string;
}

/** How long it may take, when nothing fails any more, until everything is published: dead letters are tried every 4 h. */
const RECOVERY_MS = 16 * HOUR_MS;

/** Nothing of a guest can come any more after the 60 days for which a request is kept. */
const WANTED_NO_MORE_MS = 61 * DAY_MS;
/** How long it may take then until what is due has been done, an erasure and the table included. */
const SETTLING_MS = 3 * HOUR_MS;

/** Runs a seed. */
export async function simulate(seed: number, code: Code): Promise<Outcome> {
  const stage = setStage(seed, code);
  const { world, start, profile, network, ledger, queue, deadLetters, rejectedQueue, rejectedDeadLetters } = stage;
  limit(code.isolates, profile);
  world.webhook = (actor, text) =>
    network.call(actor, profile.webhookOutages, () => {
      ledger.alarms.onPost(text);
      return new Response();
    });
  for (const part of ACTORS) part(stage);
  let activeUntil = start + profile.activeMs;
  for (const { at, forMs } of profile.sleeps) {
    await world.runUntil(Math.max(world.now, activeUntil - profile.activeMs + at));
    await sleep(stage, forMs);
    activeUntil += forMs;
  }
  await world.runUntil(activeUntil);
  network.calm = true;
  const all = [queue, deadLetters, rejectedQueue, rejectedDeadLetters];
  const queued = () => all.reduce((sum, { messages }) => sum + messages.size, 0);
  for (let passed = 0; passed < RECOVERY_MS && world.violation === undefined; passed += 30 * MINUTE_MS) {
    if (queued() === 0 && ledger.isComplete(activeUntil)) break;
    await world.runUntil(activeUntil + passed + 30 * MINUTE_MS);
  }
  if (world.violation === undefined) ledger.checkEnd(queued(), activeUntil);
  if (world.violation === undefined && (profile.erases || profile.expires)) await letTimePass(stage);
  if (world.violation === undefined && profile.alarms) await raiseAlarm(stage);
  return {
    violation: world.violation,
    steps: world.steps,
    events: ledger.events.size,
    parts: ledger.lastSequence,
    late: ledger.watermark?.late_events ?? 0,
    trace: ledger.trace.digest('hex'),
  };
}

/** Days pass in which nothing is done: what was begun ends before, and what waits grows older. */
async function sleep({ world, network, bucket }: Stage, forMs: number): Promise<void> {
  network.asleep = true;
  await world.runUntil(world.now + QUIET_MS);
  world.skip(forMs);
  network.skip(forMs);
  bucket.expire(world.now);
  network.asleep = false;
}

/** Two months later: nothing of a guest can come any more, and what was kept beside events is gone. */
async function letTimePass(stage: Stage): Promise<void> {
  const { world, ledger } = stage;
  ledger.erasures.isWantedNoMore = true;
  await sleep(stage, WANTED_NO_MORE_MS);
  const moment = world.now;
  await world.runUntil(moment + SETTLING_MS);
  if (world.violation !== undefined) return;
  ledger.checkLongAfter(moment);
  for (const guest of GUESTS) runTool(stage, (actor) => find(stage, actor, guest));
  await world.runUntil(world.now + 10 * MINUTE_MS);
}

/** How long what is wrong takes to be told, when nothing fails. */
const TOLD_MS = 40 * MINUTE_MS;

/** A message waits for a day: that is told once, once more a day later, and once when it is over. */
async function raiseAlarm(stage: Stage): Promise<void> {
  const { world, network, queue, ledger } = stage;
  const said: string[] = [];
  world.webhook = async (_, text) => {
    ledger.alarms.onPost(text);
    said.push(...Array.from(text.matchAll(/^.*(?= backlog)/gm), ([word]) => word));
    return new Response();
  };
  const expect = async (...wanted: string[]) => {
    await world.runUntil(world.now + TOLD_MS);
    if (said.join() !== wanted.join()) world.violate(`the alarm backlog has to be ${wanted}, and was ${said}`);
  };
  network.stuck = true;
  queue.send('a message that waits', world.now);
  await expect('RAISED');
  await sleep(stage, DAY_MS);
  await expect('RAISED', 'STILL RAISED');
  network.stuck = false;
  await expect('RAISED', 'STILL RAISED', 'CLEARED');
}
