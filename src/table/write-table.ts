/** One run of the table's writer: the table follows the log of parts, and then it is tidied up. */

import { currentSnapshot, logSequenceOf, type Snapshot, type Table } from '../storage/iceberg/table.ts';
import { WATERMARK_KEY } from '../storage/keys.ts';
import type { LogEntry } from '../storage/log-entry.ts';
import { readState } from '../storage/state.ts';
import type { TableRun } from '../storage/table-run.ts';
import { type Watermark, WatermarkSchema } from '../storage/watermark.ts';
import { bucketCatalog, type Catalog, writeVersionHint } from './catalog.ts';
import { commitChange } from './commit.ts';
import { followLog, type Step } from './follow-log.ts';
import { dayOfEntry, dayOfPart, readLog, readLogOfDays } from './log.ts';
import { GUESTS_PROPERTY, isErasureOver, kept, newTable, nextMetadata } from './metadata.ts';
import { createManifestReader, type ManifestReader } from './snapshot.ts';
import { ERASES } from './summary.ts';
import { type Swept, sweep } from './sweep.ts';
import { hideGuests, joinFiles } from './tidy.ts';
import { type Attempt, beginAttempt, type Tools } from './tools.ts';

/** What a run has done, and what it leaves behind. */
export interface Run extends Pick<TableRun, 'log_sequence' | 'complete_through' | 'tidied_at' | 'replaced_through'> {
  /** `overtaken`: another run was at work. `more`: the next run goes on. */
  readonly ended: 'done' | 'more' | 'overtaken';
  readonly commits: number;
  /** That were written, the same rows once more included. */
  readonly rows: number;
  /** Objects that no snapshot names any more. */
  readonly deleted: number;
}

/** What the run before has left behind. */
export type Left = Pick<TableRun, 'tidied_at' | 'replaced_through'>;

const NOTHING_LEFT: Left = { tidied_at: null, replaced_through: 0 };

const MS_PER_DAY = 86_400_000;

/**
 * Runs once. What is in the table, the table itself says: the summary of its current snapshot, how far it follows the
 * log, and its manifests, which files there are. So whatever a run throws, the next goes on from what was committed, and
 * of two runs that begin with the same version one commits.
 *
 * @throws When a part is missing and the log has none in its place; and what R2 throws.
 */
export async function writeTable(tools: Tools, left: Left = NOTHING_LEFT): Promise<Run> {
  const catalog = bucketCatalog(tools.bucket);
  const table = (await catalog.read()) ?? (await createTable(tools, catalog));
  const watermark = (await readState(tools.bucket, WATERMARK_KEY, WatermarkSchema)).value;
  const writer = new Writer({ ...tools, location: table.metadata.location }, catalog, table, watermark);
  const run = await writer.run(left);
  if (run.commits > 0) await writeVersionHint(tools.bucket, writer.table, tools.clock);
  return run;
}

async function createTable(tools: Tools, catalog: Catalog): Promise<Table> {
  const created = await catalog.commit(1, newTable(tools.location, tools.guests.mark, tools.clock.now()));
  const table = created ?? (await catalog.read());
  if (table === undefined) throw new Error('Cannot create the table: another run has, and it is not there');
  return table;
}

/**
 * Up to which entry of the log no snapshot shows rows that were replaced. The oldest is in line with all entries before;
 * what came after them has replaced nothing of it as long as no further snapshot erases.
 */
function replacedThrough(snapshots: readonly Snapshot[]): number {
  const next = snapshots.findIndex((snapshot, at) => at > 0 && ERASES in snapshot.summary);
  return logSequenceOf(snapshots.at(next === -1 ? -1 : next - 1));
}

/** Why a run goes no further. */
type Stop = 'more' | 'overtaken';

/** A run under way. */
class Writer {
  readonly #tools: Tools;
  readonly #catalog: Catalog;
  readonly #manifests: ManifestReader;
  readonly #watermark: Watermark | undefined;
  #table: Table;
  #commits = 0;
  #rows = 0;
  /** That were read. */
  #parts = 0;
  /** What the log had when it was read last. */
  #log: readonly LogEntry[] = [];
  /** What is known of the log beyond that. */
  #ahead: readonly LogEntry[] = [];

  constructor(tools: Tools, catalog: Catalog, table: Table, watermark: Watermark | undefined) {
    this.#tools = tools;
    this.#catalog = catalog;
    this.#manifests = createManifestReader(tools);
    this.#watermark = watermark;
    this.#table = table;
  }

  /** The version that the run has come to. */
  get table(): Table {
    return this.#table;
  }

  async run(left: Left): Promise<Run> {
    const isDue =
      left.tidied_at === null || Date.parse(left.tidied_at) + this.#tools.limits.tidyMs <= this.#tools.clock.now();
    const erasureIsOver = isErasureOver(this.#table.metadata.snapshots, this.#tools.clock.now(), this.#tools.limits);
    const stop =
      (await this.#follow()) ??
      (await this.#hideGuests()) ??
      (isDue ? ((await this.#join()) ?? (await this.#complete())) : undefined) ??
      (isDue || erasureIsOver ? await this.#expire() : undefined);
    const isTidied = stop === undefined && (isDue || erasureIsOver);
    const swept = isTidied ? await sweep(this.#tools, this.#catalog) : undefined;
    return {
      ended: stop ?? 'done',
      commits: this.#commits,
      rows: this.#rows,
      deleted: swept?.deleted ?? 0,
      log_sequence: this.#through,
      complete_through: currentSnapshot(this.#table)?.summary['complete-through'] ?? null,
      ...this.#leaves(left, swept),
    };
  }

  #leaves({ tidied_at, replaced_through }: Left, swept: Swept | undefined): Left {
    if (swept === undefined) return { tidied_at, replaced_through };
    // While something may be wanted yet, the next run looks again.
    if (!swept.isAll) return { tidied_at: null, replaced_through };
    return {
      tidied_at: new Date(this.#tools.clock.now()).toISOString(),
      replaced_through: Math.max(replaced_through, replacedThrough(swept.snapshots)),
    };
  }

  /** The last sequence of the log that the table is in line with. */
  get #through(): number {
    return logSequenceOf(currentSnapshot(this.#table));
  }

  /** Brings the table in line with the log. */
  #follow(): Promise<Stop | undefined> {
    return this.#repeat(async (attempt) => {
      this.#log = this.#log.filter(({ sequence }) => sequence > this.#through);
      if (this.#log.length === 0) {
        this.#log = await readLog(this.#tools.bucket, this.#through, this.#tools.limits.logEntries);
      }
      if (this.#log.length === 0) return undefined;
      return followLog(attempt, this.#log, this.#ahead, (day) =>
        this.#manifests.files(currentSnapshot(this.#table), Date.parse(day) / MS_PER_DAY),
      );
    });
  }

  /** Shows guests as they are to be shown from now on. */
  async #hideGuests(): Promise<Stop | undefined> {
    const { mark } = this.#tools.guests;
    if (this.#table.metadata.properties[GUESTS_PROPERTY] === mark) return undefined;
    const stop = await this.#repeat(async (attempt) => hideGuests(attempt, await this.#files()));
    return stop ?? this.#commitMetadata({ [GUESTS_PROPERTY]: mark });
  }

  /** Joins what is small of complete days. */
  #join(): Promise<Stop | undefined> {
    const through = this.#completeAt(this.#through) ?? currentSnapshot(this.#table)?.summary['complete-through'];
    if (through === undefined) return Promise.resolve(undefined);
    return this.#repeat(async (attempt) => joinFiles(attempt, await this.#files(), Date.parse(through)));
  }

  /** Says that the rows are complete up to a later moment, though there are no new ones. */
  async #complete(): Promise<Stop | undefined> {
    const said = currentSnapshot(this.#table)?.summary['complete-through'];
    const through = this.#completeAt(this.#through);
    if (this.#commits > 0 || this.#through === 0 || through === undefined || said === through) return undefined;
    const log = { from: this.#through, through: this.#through };
    return this.#commit(beginAttempt(this.#tools, this.#manifests), {
      change: { operation: 'append', add: [], remove: [], log },
      rows: 0,
      parts: 0,
    });
  }

  /** Leaves the snapshots out whose time is over. */
  async #expire(): Promise<Stop | undefined> {
    const { snapshots } = this.#table.metadata;
    const { clock, limits } = this.#tools;
    return kept(snapshots, clock.now(), limits).length < snapshots.length ? this.#commitMetadata({}) : undefined;
  }

  /** Makes changes until there is none to be made, or the run has done enough. */
  async #repeat(next: (attempt: Attempt) => Promise<Step | undefined>): Promise<Stop | undefined> {
    for (;;) {
      const { runRows, runParts } = this.#tools.limits;
      if (this.#rows >= runRows || this.#parts >= runParts) return 'more';
      const attempt = beginAttempt(this.#tools, this.#manifests);
      const step = await next(attempt);
      if (step === undefined) return undefined;
      const stop = 'missing' in step ? await this.#lookAhead(step) : await this.#commit(attempt, step);
      if (stop !== undefined) return stop;
    }
  }

  /** Reads in the log what has taken the place of a part, and of others of these days, so that it is read once for all. */
  async #lookAhead({ missing, otherwise }: Extract<Step, { missing: string }>): Promise<Stop | undefined> {
    const isKnown = this.#log.length > 0;
    const after = this.#log.at(-1)?.sequence ?? this.#through;
    const days = new Set([dayOfPart(missing), ...this.#log.map(dayOfEntry)]);
    this.#ahead = await readLogOfDays(this.#tools.bucket, after, days);
    if (![...this.#log, ...this.#ahead].some(({ replaces }) => replaces === missing)) {
      throw new Error(
        otherwise ??
          `Cannot write the table: ${missing} is missing and the log names none in its place; see what "events -- verify" says`,
      );
    }
    // What is tidied up meanwhile comes after what the log has to say.
    return isKnown ? undefined : 'more';
  }

  async #commit(
    attempt: Attempt,
    { change, rows, parts }: Exclude<Step, { missing: string }>,
  ): Promise<Stop | undefined> {
    const completeThrough = change.log === undefined ? undefined : this.#completeAt(change.log.through);
    const table = await commitChange(this.#catalog, attempt, this.#table, { ...change, completeThrough });
    if (table === undefined) return 'overtaken';
    this.#table = table;
    this.#commits += 1;
    this.#rows += rows;
    this.#parts += parts;
    return undefined;
  }

  async #commitMetadata(properties: Readonly<Record<string, string>>): Promise<Stop | undefined> {
    const { clock, limits } = this.#tools;
    const metadata = nextMetadata(this.#table, { snapshot: undefined, properties }, clock.now(), limits);
    const table = await this.#catalog.commit(this.#table.version + 1, metadata);
    if (table === undefined) return 'overtaken';
    this.#table = table;
    this.#commits += 1;
    return undefined;
  }

  /** Up to when the table is complete when it is in line with an entry of the log; undefined when that is unknown. */
  #completeAt(sequence: number): string | undefined {
    const { complete_through, log_sequence = Number.POSITIVE_INFINITY } = this.#watermark ?? {};
    return sequence >= log_sequence ? complete_through : undefined;
  }

  #files() {
    return this.#manifests.files(currentSnapshot(this.#table));
  }
}
