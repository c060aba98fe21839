/** One published part against its entry in the log. */

import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { IdSet } from '../../storage/id-set.ts';
import { PARTITION_MS, startOf } from '../../storage/keys.ts';
import {
  type EventIdWords,
  formatEventId,
  isBefore,
  linesOfBlock,
  millisecondsOf,
  newEventIdWords,
  readEventId,
  wholeLines,
} from '../../storage/line-bytes.ts';
import type { LogEntry } from '../../storage/log-entry.ts';
import type { ReadableStore } from '../object-store.ts';
import type { LogFinding } from './log-finding.ts';

/**
 * Reads a part to its end, holding no more than a few blocks of it.
 *
 * @param known - The event_ids of the other parts of its hour; those of this one are added.
 */
export async function checkPart(
  store: Pick<ReadableStore, 'read'>,
  entry: LogEntry,
  known: IdSet,
  signal: AbortSignal,
): Promise<LogFinding[]> {
  const body = await store.read(entry.key);
  if (body === undefined) return [{ kind: 'missing', entry }];
  const digest = new Digest();
  const rows = new RowCheck(entry, known);
  try {
    await pipeline(digest.passing(body), createGunzip(), (blocks: AsyncIterable<Buffer>) => rows.read(blocks), {
      signal,
    });
    return [...digest.compare(entry), ...rows.findings()];
  } catch (error) {
    signal.throwIfAborted();
    // Those of zlib have a code of its own; others are of the bucket or the disk.
    if (!(error instanceof Error && 'code' in error && String(error.code).startsWith('Z_'))) throw error;
    const damage: LogFinding = { kind: 'content', entry, why: `cannot be decompressed: ${error.message}` };
    return [...(await checkBytes(store, entry)), damage];
  }
}

/** Compares the bytes of an object with its entry, without looking into them. */
async function checkBytes(store: Pick<ReadableStore, 'read'>, entry: LogEntry): Promise<LogFinding[]> {
  const body = await store.read(entry.key);
  if (body === undefined) return [{ kind: 'missing', entry }];
  const digest = new Digest();
  for await (const _ of digest.passing(body));
  return digest.compare(entry);
}

/** Counts and digests bytes that pass. */
class Digest {
  readonly #hash = createHash('sha256');
  #bytes = 0;

  async *passing(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of body) {
      this.#hash.update(chunk);
      this.#bytes += chunk.length;
      yield chunk;
    }
  }

  compare(entry: LogEntry): LogFinding[] {
    if (this.#bytes !== entry.bytes) return [{ kind: 'size', entry, bytes: this.#bytes }];
    const sha256 = this.#hash.digest('hex');
    return sha256 === entry.sha256 ? [] : [{ kind: 'checksum', entry, sha256 }];
  }
}

/** Counts rows, and looks at their event_ids. */
class RowCheck {
  readonly #entry: LogEntry;
  readonly #known: IdSet;
  #rows = 0;
  #foreignLines = 0;
  #lowest: EventIdWords | undefined;
  #highest: EventIdWords | undefined;
  readonly #repeated = new Examples();
  readonly #outsideHour = new Examples();

  constructor(entry: LogEntry, known: IdSet) {
    this.#entry = entry;
    this.#known = known;
  }

  async read(blocks: AsyncIterable<Uint8Array>): Promise<void> {
    const start = startOf(this.#entry.partition);
    const id = newEventIdWords();
    for await (const block of wholeLines(blocks)) {
      for (const line of linesOfBlock(block)) {
        this.#rows += 1;
        if (!readEventId(line, id)) {
          this.#foreignLines += 1;
          continue;
        }
        const time = millisecondsOf(id);
        if (time < start || time >= start + PARTITION_MS) this.#outsideHour.add(id);
        if (!this.#known.add(id)) this.#repeated.add(id);
        if (this.#lowest === undefined || isBefore(id, this.#lowest)) this.#lowest = id.slice() as EventIdWords;
        if (this.#highest === undefined || isBefore(this.#highest, id)) this.#highest = id.slice() as EventIdWords;
      }
    }
  }

  findings(): LogFinding[] {
    const entry = this.#entry;
    const findings: LogFinding[] = [];
    if (this.#foreignLines > 0) {
      findings.push({ kind: 'content', entry, why: `${this.#foreignLines} lines that are no events` });
    }
    if (this.#rows !== entry.rows) findings.push({ kind: 'rows', entry, rows: this.#rows });
    if (this.#lowest !== undefined && this.#highest !== undefined) {
      const first = formatEventId(this.#lowest);
      const last = formatEventId(this.#highest);
      if (first !== entry.first_event_id || last !== entry.last_event_id) {
        findings.push({ kind: 'ids', entry, first, last });
      }
    }
    findings.push(...this.#outsideHour.findings('hour', entry), ...this.#repeated.findings('repeated', entry));
    return findings;
  }
}

/** Counts event_ids and keeps the first. */
class Examples {
  #count = 0;
  #first = '';

  add(id: EventIdWords): void {
    if (this.#count === 0) this.#first = formatEventId(id);
    this.#count += 1;
  }

  findings(kind: 'hour' | 'repeated', entry: LogEntry): LogFinding[] {
    return this.#count === 0 ? [] : [{ kind, entry, count: this.#count, first: this.#first }];
  }
}
