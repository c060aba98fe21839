/** `npm run bench`: the measurements of docs/performance.md, on this machine. Names behind `--` run only those. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchArrival } from './arrival.ts';
import { benchBacklog } from './backlog.ts';
import { benchCrowdedDay, benchDay } from './day.ts';
import { benchBatches, benchIntake } from './intake.ts';
import { benchSteps } from './steps.ts';

/** Each measures and prints. */
const PARTS: Readonly<Record<string, (folder: string) => Promise<void>>> = {
  intake: benchIntake,
  batches: benchBatches,
  steps: benchSteps,
  backlog: benchBacklog,
  day: benchDay,
  'crowded-day': benchCrowdedDay,
  arrival: benchArrival,
};

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !(name in PARTS));
if (unknown.length > 0) {
  console.error(`Cannot measure ${unknown.join(' ')}; the parts are ${Object.keys(PARTS).join(' ')}`);
  process.exit(2);
}
const folder = await mkdtemp(join(tmpdir(), 'reservation-bench-'));
try {
  for (const [name, part] of Object.entries(PARTS)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue;
    console.log(`\n${name}`);
    await part(folder);
  }
} finally {
  await rm(folder, { recursive: true });
}
