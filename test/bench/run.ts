/**
 * `npm run bench`: everything that is measured, in one run on one machine. Prints tables, ratios first, and writes all
 * numbers to dist/bench.json. Names of parts after `--` measure only those.
 */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ProgressBar, showProgress } from '../../src/cli/show-progress.ts';
import { formatTable, type TableRow } from '../../src/cli/table.ts';
import { benchAllocations } from './allocations.ts';
import { benchArrival } from './arrival.ts';
import { benchBacklog } from './backlog.ts';
import { benchContract } from './contract.ts';
import { costOfMillion, inBatches, ONE_AT_A_TIME } from './cost.ts';
import { benchDuties } from './duties.ts';
import { benchGuests } from './guests.ts';
import { benchInstructions } from './instructions.ts';
import { benchIntake, type LoadName } from './intake.ts';
import { benchLanding, type LandingResult } from './landing.ts';
import { benchLatency } from './latency.ts';
import { benchPart } from './part.ts';
import { benchPublish } from './publish.ts';
import { showDay } from './show-day.ts';
import { simulateDay } from './simulation.ts';
import { benchSize } from './size.ts';
import { benchTable } from './table.ts';
import { benchTokens } from './tokens.ts';

/** Rows of the days that are landed, published and read. */
const DAYS = [10_000, 1_000_000];
const RESULTS = 'dist/bench.json';
const folder = mkdtempSync(join(tmpdir(), 'reservation-bench-'));

/** What the cost is worked out from; it has to be measured in the same run. */
const measuredFor: { intakeMilliseconds?: number; batchMilliseconds?: number; landing?: LandingResult } = {};

/** Each part measures, prints its table and returns its numbers. */
const PARTS: Readonly<Record<string, () => Promise<object>>> = {
  async intake() {
    const results = await watched('intake', (progress) => benchIntake(folder, progress));
    const millisecondsOf = (name: LoadName) => {
      const ours = results.find(({ worker, load }) => worker === 'ours' && load === name);
      return (ours?.cpuMicroseconds ?? Number.NaN) / 1_000;
    };
    measuredFor.intakeMilliseconds = millisecondsOf('full event');
    measuredFor.batchMilliseconds = millisecondsOf('batch of 1,000 full events');
    show(
      results.map(({ worker, load, cpuMicroseconds, eventsPerSecond, ofFloor, ofUsual }) => ({
        worker,
        load,
        'CPU × floor': round(ofFloor),
        'CPU × Hono + Zod': round(ofUsual),
        'CPU µs/event': Math.round(cpuMicroseconds),
        'events/s': Math.round(eventsPerSecond),
      })),
    );
    return results;
  },
  async instructions() {
    const results = await watched('instructions', (progress) => benchInstructions(folder, progress));
    show(
      results.map(({ worker, load, instructions, ofFloor, ofUsual }) => ({
        worker,
        load,
        'instructions × floor': round(ofFloor),
        '× Hono + Zod': round(ofUsual),
        'thousands/request': Math.round(instructions / 1_000),
      })),
    );
    return results;
  },
  async latency() {
    const answers = await watched('latency', (progress) => benchLatency(folder, progress));
    show(
      answers.map(({ worker, share, perSecond, p50, p99, p999 }) => ({
        worker,
        'of what it can do': `${share * 100} %`,
        'requests/s': Math.round(perSecond),
        'p50, ms': round(p50),
        'p99, ms': round(p99),
        'p99.9, ms': round(p999),
      })),
    );
    return answers;
  },
  async arrival() {
    const arrival = await watched('arrival', (progress) => benchArrival(folder, progress));
    show([
      {
        'from sending to landing/, s': round(arrival.landingSeconds),
        'to events/, s': round(arrival.eventsSeconds),
        'to a query of the table, s': round(arrival.tableSeconds),
      },
    ]);
    return arrival;
  },
  async allocations() {
    const results = await watched('allocations', (progress) => benchAllocations(folder, progress));
    show(results.map(({ worker, load, bytes }) => ({ worker, load, 'kB/request': round(bytes / 1_000) })));
    return results;
  },
  async duties() {
    const results = await watched('duties', (progress) => benchDuties(folder, progress));
    show(
      results.map(({ without, ofFloor, ofWhole, cpuMicroseconds }) => ({
        without,
        'CPU × floor': round(ofFloor),
        'CPU × whole': round(ofWhole),
        'CPU µs/request': Math.round(cpuMicroseconds),
      })),
    );
    return results;
  },
  async contract() {
    const results = await watched('contract', benchContract);
    const ours = (payload: string) =>
      results.find((result) => result.library === 'ours' && result.payload === payload)?.microseconds ?? Number.NaN;
    show(
      results.map(({ library, payload, microseconds }) => ({
        library,
        payload,
        'time × ours': round(microseconds / ours(payload)),
        'µs/event': round(microseconds),
        'events/s': Math.round(1e6 / microseconds),
      })),
    );
    return results;
  },
  async landing() {
    const results = await watched('landing', benchLanding);
    const [small] = results;
    if (small !== undefined) measuredFor.landing = small;
    show(
      results.map(({ messages, bytesPerRow, rowsPerSecond, megabytesPerSecond }) => ({
        messages: `100 ${messages}`,
        'bytes/row': bytesPerRow,
        'rows/s': Math.round(rowsPerSecond),
        'MB/s': Math.round(megabytesPerSecond),
      })),
    );
    return results;
  },
  async tokens() {
    const results = await watched('tokens', (progress) => benchTokens(folder, progress));
    show(
      results.map(({ tokens, asked, medianMicroseconds, fastestMicroseconds, slowestMicroseconds }) => ({
        tokens,
        asked,
        'median µs': round(medianMicroseconds),
        'fastest µs': round(fastestMicroseconds),
        'slowest µs': round(slowestMicroseconds),
      })),
    );
    return results;
  },
  async size() {
    const result = await watched('size', async (progress) => benchSize(folder, progress));
    show([
      {
        'bundle, KiB gzip': round(result.gzipBytes / 1_024),
        'bundle, KiB': round(result.bytes / 1_024),
        'start, ms active': round(result.startMilliseconds),
        'of it an empty Worker': round(result.emptyStartMilliseconds),
      },
    ]);
    return result;
  },
  async part() {
    const results = await watched('part', (progress) => benchPart(folder, progress));
    show(
      results.map(({ rows, rowsPerSecond, bytesPerSecond, gzipBytesPerSecond }) => ({
        rows,
        'rows/s of CPU': Math.round(rowsPerSecond),
        'MB/s of CPU': Math.round(bytesPerSecond / 1e6),
        'gzip alone, MB/s': Math.round(gzipBytesPerSecond / 1e6),
      })),
    );
    return results;
  },
  async table() {
    const result = await watched('table', (progress) => benchTable(folder, progress));
    show(
      result.runs.map(({ what, runs, rows, rowsPerSecond, cpuSeconds, peakBytes, classA, classB }) => ({
        what,
        runs,
        rows,
        'rows/s of CPU': Math.round(rowsPerSecond),
        'CPU of a run at most, s': round(cpuSeconds),
        'MB of memory in use': peakBytes === null ? '' : Math.round(peakBytes / 1e6),
        'R2 class A a run': round(classA),
        'class B': round(classB),
      })),
    );
    for (const facts of [result.files, result.megabytes, result.metadata, result.monthly]) show([facts]);
    show(
      result.questions.map(({ question, ndjson, small, rewritten }) => ({
        question,
        'NDJSON, ms': Math.round(ndjson * 1_000),
        'small files, ms': Math.round(small * 1_000),
        'rewritten, ms': Math.round(rewritten * 1_000),
      })),
    );
    return result;
  },
  async guests() {
    const result = await benchGuests(folder);
    const { rowsPerSecond, find, erase } = result;
    show([
      {
        'a year of 100,000 events a day': 'find',
        'objects read': find.objects,
        'GB read': round(find.bytes / 1e9),
        minutes: round(find.seconds / 60),
        $: round(find.dollars),
        'rows/s': Math.round(rowsPerSecond),
      },
      {
        'a year of 100,000 events a day': 'erase, beyond that',
        'objects read': erase.objects,
        'GB read': round(erase.bytes / 1e9),
        minutes: '',
        $: round(erase.dollars * 10) / 10,
        'rows/s': '',
      },
    ]);
    return result;
  },
  async publish() {
    const results = await watched('publish', (progress) => benchPublish(folder, progress));
    show(
      results.map(({ load, objects, rows, parts, runs, objectsPerSecond, cpuMicrosecondsPerObject, peakBytes }) => ({
        'landed, 100 ms a call': load,
        objects,
        rows,
        parts,
        runs,
        'objects/s': Math.round(objectsPerSecond),
        'CPU µs/object': Math.round(cpuMicrosecondsPerObject),
        'memory, MB': Math.round(peakBytes / 1e6),
      })),
    );
    return results;
  },
  async backlog() {
    const results = await watched('backlog', benchBacklog);
    show(
      results.map(({ consumers, callMs, gathered, gatherSeconds, objectsPerSecond, runs, minutes }) => ({
        consumers,
        'ms/call': callMs,
        gathered,
        seconds: Math.round(gatherSeconds),
        'objects/s': Math.round(objectsPerSecond),
        'of 6 connections': round(objectsPerSecond / ((consumers * 6_000) / callMs)),
        'runs until published': runs,
        minutes: round(minutes),
      })),
    );
    return results;
  },
  async day() {
    const results = [];
    for (const rows of DAYS) {
      const result = await simulateDay(rows);
      console.log(`A day of ${rows} rows`);
      showDay(result);
      results.push(result);
    }
    return results;
  },
  async cost() {
    const { intakeMilliseconds, batchMilliseconds, landing } = measuredFor;
    if (intakeMilliseconds === undefined || batchMilliseconds === undefined || landing === undefined) {
      throw new Error('Cannot work out the cost: measure intake and landing in the same run');
    }
    const { rowsPerSecond, bytesPerRow } = landing;
    const landingMilliseconds = 1_000 / rowsPerSecond;
    const other = { landingMilliseconds, rowBytes: bytesPerRow };
    const single = costOfMillion({ ...other, intakeMilliseconds }, ONE_AT_A_TIME);
    const batches = costOfMillion({ ...other, intakeMilliseconds: batchMilliseconds }, inBatches(bytesPerRow));
    show(
      Object.entries(single).map(([what, dollars]) => ({
        what,
        '$/million, one at a time': round(dollars),
        'in batches': round(batches[what] ?? Number.NaN),
      })),
    );
    return { single, batches };
  },
};

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !(name in PARTS));
if (unknown.length > 0) {
  console.error(`Cannot measure ${unknown.join(' ')}; the parts are ${Object.keys(PARTS).join(' ')}`);
  process.exit(2);
}
const measured: Record<string, object> = {};
try {
  for (const [name, part] of Object.entries(PARTS)) {
    if (chosen.length > 0 && !chosen.includes(name)) continue;
    console.log(`\n${name}`);
    measured[name] = await part();
  }
} finally {
  rmSync(folder, { recursive: true });
}
mkdirSync('dist', { recursive: true });
writeFileSync(RESULTS, `${JSON.stringify({ measured_at: new Date().toISOString(), ...measured }, null, 2)}\n`);
console.log(`\nAll numbers are in ${RESULTS}`);

function show(rows: readonly TableRow[]): void {
  console.log(formatTable(rows).trimEnd());
}

/** Runs a part with a bar. */
async function watched<Result>(
  label: string,
  part: (progress: (done: number, total: number) => void) => Promise<Result>,
): Promise<Result> {
  let bar: ProgressBar | undefined;
  try {
    return await part((done, total) => {
      bar ??= showProgress(label, total);
      bar.update(done);
    });
  } finally {
    bar?.end();
  }
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
