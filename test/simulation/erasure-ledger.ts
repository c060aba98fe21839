/**
 * The account of guests who are to be erased: what they asked for, what was rewritten, what was erased before it was
 * published, and whether the records of erasures say just that.
 */

import type { ErasureRecord, ErasureRequest } from '../../src/storage/erasure.ts';
import { guestOfDigests, KEEP_DAYS } from './guests.ts';
import type { ModelBucket, ModelObject } from './model-bucket.ts';
import { CLOCKS_MS, DAY_MS, type Profile } from './profile.ts';
import { placeOf, rowsIn, textOf, timeIn } from './stored.ts';
import type { World } from './world.ts';

/** A request in the bucket, and how far it has come. */
interface Asked {
  readonly guest: string;
  /** What was received up to then is erased. */
  readonly through: number;
  record: ErasureRecord | undefined;
}

/** Rewriting of a part, as it is in the log. */
interface Rewritten {
  readonly replaces: string;
  readonly rows: number;
  /** The erasure for which it was begun; null when the time of its guests was over. */
  readonly erasureId: string | null;
}

/** A row in any form in which guests can be seen. */
export interface GuestRow {
  readonly event_id: string;
  readonly customer_id: string | null;
  readonly warnings: readonly string[];
}

interface Row extends GuestRow, Readonly<Record<string, unknown>> {}

const REQUEST = /^erasures\/requests\/(.+)\.json$/;
const RECORD = /^erasures\/records\/(.+)\.json$/;
const REWRITES_KEY = 'erasures/state.json';
const STAGES: readonly string[] = ['parts', 'newer_parts', 'table', 'finished'];

/** What erasing changes of a row. */
const REWRITTEN: ReadonlySet<string> = new Set(['customer_id', 'event_fingerprint', 'idempotency_key', 'warnings']);

/** The account. */
export class ErasureLedger {
  readonly #world: World;
  readonly #bucket: ModelBucket;
  readonly #expires: boolean;
  /** Whose each event is, and its line. */
  readonly #guests = new Map<string, string>();
  readonly #lines = new Map<string, Readonly<Record<string, unknown>>>();
  /** The requests, by their names. */
  readonly #asked = new Map<string, Asked>();
  /** For which erasure a part is written anew, by the key of the new one. */
  readonly #begun = new Map<string, string | null>();
  readonly #rewritten = new Map<string, Rewritten>();
  /** The rows of guests that were erased before they were published, by part and guest. */
  readonly #caught = new Map<string, Map<string, number>>();
  /** Up to when days are looked at that are over. */
  overBefore = 0;
  isWantedNoMore = false;

  constructor(world: World, bucket: ModelBucket, { expires }: Pick<Profile, 'expires'>) {
    this.#world = world;
    this.#bucket = bucket;
    this.#expires = expires;
  }

  /** An event comes in. */
  receive(id: string, guest: string, line: string): void {
    this.#guests.set(id, guest);
    this.#lines.set(id, JSON.parse(line));
  }

  guestOf(id: string): string | undefined {
    return this.#guests.get(id);
  }

  /** Whether the request of a guest is in the bucket. */
  isAsked(guest: string): boolean {
    return this.#asked.values().some((asked) => asked.guest === guest);
  }

  onPut({ key, body }: ModelObject): void {
    const [requestId, recordId] = [REQUEST.exec(key)?.[1], RECORD.exec(key)?.[1]];
    const json = () => JSON.parse(new TextDecoder().decode(body));
    if (requestId !== undefined) this.#onRequest(requestId, json());
    else if (recordId !== undefined) this.#onRecord(recordId, json());
    else if (key === REWRITES_KEY) {
      for (const { key: part, erasure_id } of json().open) this.#begun.set(part, erasure_id);
    }
  }

  /** Whether an object may be deleted. */
  mayGo(key: string): boolean {
    return this.isWantedNoMore && REQUEST.test(key);
  }

  /** A part has come into the log. */
  onPart(key: string, replaces: string | null): void {
    const after = this.#rowsOf(key);
    if (replaces === null) {
      const caught = new Map<string, number>();
      for (const row of after) {
        const guest = this.#guests.get(row.event_id) ?? '';
        if (isErased(row)) caught.set(guest, (caught.get(guest) ?? 0) + 1);
      }
      this.#caught.set(key, caught);
      return;
    }
    const before = new Map(this.#rowsOf(replaces).map((row) => [row.event_id, row]));
    const rows = after.filter((row) => JSON.stringify(before.get(row.event_id)) !== JSON.stringify(row)).length;
    this.#rewritten.set(key, { replaces, rows, erasureId: this.#begun.get(key) ?? null });
  }

  #onRequest(id: string, { received_through, digests }: ErasureRequest): void {
    const through = Date.parse(received_through);
    if (through > this.#world.now + CLOCKS_MS) this.#world.violate(`${id} wants what comes after it was asked for`);
    this.#asked.set(id, { guest: guestOfDigests(digests) ?? '', through, record: undefined });
  }

  #onRecord(id: string, record: ErasureRecord): void {
    const { now } = this.#world;
    const asked = this.#asked.get(id);
    if (asked === undefined) {
      this.#world.violate(`there is a record of ${id}, which nobody has asked for`);
      return;
    }
    const before = asked.record;
    asked.record = record;
    if (STAGES.indexOf(record.stage) < STAGES.indexOf(before?.stage ?? 'parts')) {
      this.#world.violate(`the record of ${id} falls back to ${record.stage}`);
    }
    if (Math.abs(Date.parse(record.updated_at) - now) > LATE_MS) {
      this.#world.violate(`the record of ${id} says that it was written at ${record.updated_at}`);
    }
    if ((record.stage === 'finished') !== (record.finished_at !== null)) {
      this.#world.violate(`the record of ${id} is at ${record.stage} and says when it was finished`);
    }
    if (record.stage !== 'finished' || before?.stage === 'finished') return;
    for (const { key } of this.#bucket.objects.values()) {
      const isShown = placeOf(key) === 'published' || key.startsWith('iceberg/events/data/');
      const row = isShown ? this.#rowsOf(key).find((each) => this.#shows(each, asked)) : undefined;
      if (row !== undefined) this.#world.violate(`${id} counts as finished, and ${row.event_id} is in ${key}`);
    }
  }

  #shows(row: GuestRow, { guest, through }: Asked): boolean {
    return row.customer_id === guest && timeIn(row.event_id) <= through;
  }

  /** What a record does not say as it was, when all is done. */
  wrongRecord(): string | undefined {
    const noted = new Set<string>();
    for (const [id, { guest, record }] of this.#asked) {
      if (record?.stage !== 'finished') return `${guest} is not erased: ${record?.stage}`;
      if (record.missing.length > 0) return `the record of ${id} says that ${record.missing[0]} was missing`;
      for (const { key, replaces, rows } of record.parts) {
        const real = this.#rewritten.get(key);
        if (real?.replaces !== replaces || real.rows !== rows || real.erasureId !== id || noted.has(key)) {
          return `the record of ${id} says that ${rows} rows of ${replaces} were erased in ${key}`;
        }
        noted.add(key);
      }
      for (const { key, rows } of record.caught) {
        if (this.#caught.get(key)?.get(guest) !== rows)
          return `the record of ${id} says that ${rows} were caught in ${key}`;
      }
    }
    const [unnoted] = [...this.#rewritten].find(([key, { erasureId }]) => erasureId !== null && !noted.has(key)) ?? [];
    if (unnoted !== undefined) return `${unnoted} was written for an erasure whose record does not say so`;
    for (const [key, caught] of this.#caught) {
      for (const guest of caught.keys()) {
        const records = [...this.#asked.values()].filter((asked) => asked.guest === guest);
        const says = records.some(({ record }) => record?.caught.some((part) => part.key === key));
        if (!says) return `no record says what was caught of ${guest} in ${key}`;
      }
    }
    return undefined;
  }

  /** What is wrong with the rows of a part when all is done. */
  wrongIn(object: ModelObject): string | undefined {
    for (const row of rowsIn<Row>(textOf(object))) {
      const before = this.#lines.get(row.event_id) ?? {};
      const other = Object.keys(before).find((name) => !REWRITTEN.has(name) && row[name] !== before[name]);
      const wrong = other === undefined ? this.wrongRow(row, false) : `${other} has changed in ${row.event_id}`;
      if (wrong !== undefined) return `${wrong} in ${object.key}`;
    }
    return undefined;
  }

  /** What is wrong with a row when all is done. In the table a guest may be hidden who is there in `events/`. */
  wrongRow(row: GuestRow, hidden: boolean): string | undefined {
    const { event_id: id, customer_id: customer } = row;
    const guest = this.#guests.get(id);
    const receivedAt = timeIn(id);
    const mustBe = this.#isWanted(guest, receivedAt) || this.#isOver(receivedAt, this.overBefore);
    if (mustBe) return isErased(row) ? undefined : `${guest} is not erased from ${id}`;
    if (isErased(row) && this.#isOver(receivedAt, this.#world.now + CLOCKS_MS)) return undefined;
    return customer === (hidden ? null : guest) ? undefined : `${customer} stands for ${guest} in ${id}`;
  }

  /** A request that is there though nothing of its guest can come. */
  leftRequest(): string | undefined {
    return [...this.#bucket.objects.keys()].find((key) => REQUEST.test(key));
  }

  /** Whether what a guest sent at a moment is to be erased. */
  #isWanted(guest: string | undefined, receivedAt: number): boolean {
    return this.#asked.values().some((asked) => asked.guest === guest && receivedAt <= asked.through);
  }

  /** Whether the guests of a day are to be erased since it is over for long enough, or may be already. */
  #isOver(receivedAt: number, moment: number): boolean {
    const end = (Math.floor(receivedAt / DAY_MS) + 1 + KEEP_DAYS) * DAY_MS;
    return this.#expires && end <= moment;
  }

  #rowsOf(key: string): Row[] {
    const object = this.#bucket.get(key);
    return object === undefined ? [] : rowsIn(textOf(object));
  }
}

/** How long a write may take to happen, with what clocks differ. */
const LATE_MS = 8 * 60_000 + CLOCKS_MS;

function isErased({ customer_id, warnings }: GuestRow): boolean {
  return customer_id === null && warnings.includes('erased');
}
