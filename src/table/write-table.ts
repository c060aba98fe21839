/** One run of the table writer: the table follows the part log, and is then tidied up. */

import { DAY_MS, WATERMARK_KEY } from '../storage/keys.ts';
import type { LogEntry } from '../storage/log-entry.ts';
import { readState } from '../storage/state.ts';
import type { TableRun } from '../storage/table-run.ts';
import { type Watermark, WatermarkSchema } from '../storage/watermark.ts';
import { bucketCatalog, type Catalog } from './catalog.ts';
import type { Change, Step } from './change.ts';
import { type OpenTable, openTable, writeVersionHint } from './commit.ts';
import { followLog } from './follow-log.ts';
import { readLog } from './log.ts';
import { GUESTS_PROPERTY, isErasureOver, kept } from './metadata.ts';
import { type Left, sweep } from './sweep.ts';
import { hideGuests, joinFiles } from './tidy.ts';
import type { Attempt, TableTools } from './tools.ts';

/** What a run has done, and what it records. */
export interface WriterRun extends Left, Pick<TableRun, 'log_sequence' | 'complete_through'> {
  /** `overtaken`: another run was active. `more`: the next run continues. */
  readonly ended: 'done' | 'more' | 'overtaken';
  readonly commits: number;
  /** Rows written, including those rewritten. */
  readonly rows: number;
  /** Objects deleted because no snapshot names them any more. */
  readonly deleted: number;
}

const NOTHING_LEFT: Left = { tidied_at: null, replaced_through: 0 };

/**
 * Runs once. The table itself holds its state: the summary of its current snapshot says how far it follows the log, and
 * its manifests say which files there are. So whatever a run throws, the next one continues from what was committed,
 * and of two runs that start from the same version one commits.
 *
 * @throws When a part is missing and has no replacement; and what R2 throws.
 */
export async function writeTable(tools: TableTools, left: Left = NOTHING_LEFT): Promise<WriterRun> {
  const catalog = bucketCatalog(tools.bucket);
  const table = await openTable(tools, catalog);
  const watermark = (await readState(tools.bucket, WATERMARK_KEY, WatermarkSchema)).value;
  const run = await new Writer(tools, table, watermark).run(catalog, left);
  if (run.commits > 0) await writeVersionHint(tools.bucket, table.current, tools.clock);
  return run;
}

/** Why a run stops. */
type Stop = 'more' | 'overtaken';

/** A run in progress. */
class Writer {
  readonly #tools: TableTools;
  readonly #table: OpenTable;
  readonly #watermark: Watermark | undefined;
  #rows = 0;
  /** Parts read. */
  #parts = 0;
  /** The log entries that were read last. */
  #log: readonly LogEntry[] = [];

  constructor(tools: TableTools, table: OpenTable, watermark: Watermark | undefined) {
    this.#tools = tools;
    this.#table = table;
    this.#watermark = watermark;
  }

  async run(catalog: Catalog, { tidied_at, replaced_through }: Left): Promise<WriterRun> {
    const { clock, limits } = this.#tools;
    const isDue = tidied_at === null || Date.parse(tidied_at) + limits.tidyMs <= clock.now();
    const isTidying = isDue || isErasureOver(this.#table.current.metadata.snapshots, clock.now(), limits);
    const stop =
      (await this.#follow()) ??
      (await this.#hideGuests()) ??
      (isDue ? ((await this.#join()) ?? (await this.#complete())) : undefined) ??
      (isTidying ? await this.#expire() : undefined);
    const isTidied = stop === undefined && isTidying;
    return {
      ...(isTidied ? await sweep(this.#tools, catalog, replaced_through) : { tidied_at, replaced_through, deleted: 0 }),
      ended: stop ?? 'done',
      commits: this.#table.commits,
      rows: this.#rows,
      log_sequence: this.#table.through,
      complete_through: this.#table.completeThrough ?? null,
    };
  }

  /** Brings the table up to date with the log. */
  #follow(): Promise<Stop | undefined> {
    return this.#repeat(async (attempt) => {
      this.#log = this.#log.filter(({ sequence }) => sequence > this.#table.through);
      if (this.#log.length === 0) {
        this.#log = await readLog(this.#tools.bucket, this.#table.through, this.#tools.limits.logEntries);
      }
      if (this.#log.length === 0) return undefined;
      return followLog(attempt, this.#log, (day) => this.#table.files(Date.parse(day) / DAY_MS));
    });
  }

  /** Rewrites the files that do not yet show guests as configured. */
  async #hideGuests(): Promise<Stop | undefined> {
    const { mark } = this.#tools.guests;
    if (this.#table.current.metadata.properties[GUESTS_PROPERTY] === mark) return undefined;
    const stop = await this.#repeat(async (attempt) => hideGuests(attempt, await this.#table.files()));
    return stop ?? this.#commitMetadata({ [GUESTS_PROPERTY]: mark });
  }

  /** Merges small files of complete days. */
  async #join(): Promise<Stop | undefined> {
    const through = this.#completeAt(this.#table.through) ?? this.#table.completeThrough;
    if (through === undefined) return undefined;
    return this.#repeat(async (attempt) => joinFiles(attempt, await this.#table.files(), Date.parse(through)));
  }

  /** Commits that the rows are complete up to a later time although there are no new ones. */
  async #complete(): Promise<Stop | undefined> {
    const { commits, through, completeThrough } = this.#table;
    const complete = this.#completeAt(through);
    if (commits > 0 || through === 0 || complete === undefined || completeThrough === complete) return undefined;
    const change: Change = { operation: 'append', add: [], remove: [], through };
    return this.#commit(this.#table.begin(), { change, rows: 0, parts: 0 });
  }

  /** Drops expired snapshots. */
  async #expire(): Promise<Stop | undefined> {
    const { snapshots } = this.#table.current.metadata;
    const { clock, limits } = this.#tools;
    return kept(snapshots, clock.now(), limits).length < snapshots.length ? this.#commitMetadata({}) : undefined;
  }

  /** Makes changes until there are none left or the run has done enough. */
  async #repeat(next: (attempt: Attempt) => Promise<Step | undefined>): Promise<Stop | undefined> {
    for (;;) {
      const { runRows, runParts } = this.#tools.limits;
      if (this.#rows >= runRows || this.#parts >= runParts) return 'more';
      const attempt = this.#table.begin();
      const step = await next(attempt);
      if (step === undefined) return undefined;
      const stop = await this.#commit(attempt, step);
      if (stop !== undefined) return stop;
    }
  }

  async #commit(attempt: Attempt, { change, rows, parts }: Step): Promise<Stop | undefined> {
    const completeThrough = change.through === undefined ? undefined : this.#completeAt(change.through);
    if (!(await this.#table.commit(attempt, { ...change, completeThrough }))) return 'overtaken';
    this.#rows += rows;
    this.#parts += parts;
    return undefined;
  }

  async #commitMetadata(properties: Readonly<Record<string, string>>): Promise<Stop | undefined> {
    return (await this.#table.commitMetadata(properties)) ? undefined : 'overtaken';
  }

  /** Up to when the table is complete when it reflects the log up to this sequence; undefined when unknown. */
  #completeAt(sequence: number): string | undefined {
    const { complete_through, log_sequence = Number.POSITIVE_INFINITY } = this.#watermark ?? {};
    return sequence >= log_sequence ? complete_through : undefined;
  }
}
