/** Running something in an isolate for as long as the platform lets it, and killing it now and then. */

import type { Isolate } from './isolates.ts';
import { MINUTE_MS, SECOND_MS } from './profile.ts';
import type { Stage } from './stage.ts';
import type { Actor, Ending } from './world.ts';

/** The platform ends a request 30 s after its answer, and everything else after 15 min. */
export const REQUEST_LIMIT_MS = 34 * SECOND_MS;
export const INVOCATION_LIMIT_MS = 15 * MINUTE_MS;

/** When everything that was begun has ended, and nothing of it can come late. */
export const QUIET_MS = 30 * MINUTE_MS;

/** Runs something in an isolate, and kills it now and then. */
export function invoke(
  stage: Stage,
  name: string,
  limitMs: number,
  body: (code: Isolate, actor: Actor) => Promise<unknown>,
  ended: (how: Ending) => void = () => {},
): void {
  const { world, isolates, network, isOver } = stage;
  if (network.asleep) {
    world.after(QUIET_MS, () => invoke(stage, name, limitMs, body, ended));
    return;
  }
  // In the second half all runs have one clock, so that readings far apart still follow one another.
  const { code, skewMs } = isOver() ? isolates[0] : world.random.pick(isolates);
  // What a request was to store may come late, but not for long; a run may be held up beyond its lease.
  const patienceMs = limitMs === REQUEST_LIMIT_MS ? 20 * SECOND_MS : 8 * MINUTE_MS;
  const actor: Actor = { name, skewMs, patienceMs, dead: false };
  start(stage, actor, limitMs, () => body(code, actor), ended);
}

/** How far the clock of a machine is off on which tools run, at most: the store has one of its own. */
const TOOL_SKEW_MS = 6 * MINUTE_MS;

/** Runs a tool on some machine. */
export function runTool(stage: Stage, body: (actor: Actor) => Promise<unknown>, ended: () => void = () => {}): void {
  const { world, network } = stage;
  if (network.asleep) {
    world.after(QUIET_MS, () => runTool(stage, body, ended));
    return;
  }
  const skewMs = world.random.pick([-TOOL_SKEW_MS, 0, TOOL_SKEW_MS]);
  const actor: Actor = { name: 'guests', skewMs, patienceMs: 8 * MINUTE_MS, dead: false };
  start(stage, actor, INVOCATION_LIMIT_MS, () => body(actor), ended);
}

function start(
  { world, profile, isOver }: Stage,
  actor: Actor,
  limitMs: number,
  body: () => Promise<unknown>,
  ended: (how: Ending) => void,
): void {
  world.spawn(actor, limitMs, body, ended);
  if (!isOver() && world.random.chance(profile.killPercent)) {
    world.after(world.random.int(0, Math.min(profile.killWithinMs, limitMs)), () => world.kill(actor));
  }
}
