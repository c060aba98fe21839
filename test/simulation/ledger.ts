/** What must hold, checked at every change of the bucket and the queues. */

import { createHash } from 'node:crypto';
import { KeptLedger } from './kept-ledger.ts';
import type { BucketWatcher, ModelBucket, ModelObject } from './model-bucket.ts';
import type { QueueWatcher } from './model-queue.ts';
import { HOUR_MS, MINUTE_MS, type Profile, SECOND_MS } from './profile.ts';
import { TableLedger, type TableRow } from './table-ledger.ts';
import type { World } from './world.ts';

/** Where an event is. */
interface Whereabouts {
  readonly id: string;
  readonly receivedAt: number;
  acknowledged: boolean;
  /** How many times it is in a queue, in `landing/` and in `dead-letter/`. */
  queued: number;
  landed: number;
  deadLettered: number;
  /** In how many parts it is, and the sequence of the first that is in the log. */
  published: number;
  logged: number;
  /** Whether the watermark has passed it before it was published. */
  late: boolean;
}

interface WrittenWatermark {
  readonly complete_through: string;
  readonly log_sequence: number;
  readonly late_events: number;
}

interface Row extends TableRow, Readonly<Record<string, unknown>> {}

/** What erasing changes of a row. */
const REWRITTEN: ReadonlySet<string> = new Set(['customer_id', 'event_fingerprint', 'idempotency_key', 'warnings']);

const DAY_MS = 24 * HOUR_MS;
/** How far clocks differ. */
const CLOCKS_MS = 5 * MINUTE_MS;

const EVENT_ID = /\\?"event_id\\?":\\?"([\da-f-]{36})/g;
const CREATE_ONLY =
  /^(?:landing|rejected|dead-letter|replayed|unreadable|erasures\/requests)\/|^events\/v1\/(?:dt=|_log\/)/;
const REQUEST = /^erasures\/requests\/(.+)\.json$/;
const RECORD = /^erasures\/records\/(.+)\.json$/;

/** A request to erase a guest. */
interface Asked {
  readonly guest: string;
  /** What was received up to then is erased. */
  readonly through: number;
  /** Whether the request is in the bucket, and how far it has come. */
  made: boolean;
  stage: string;
}

/** How long a lease lasts for certain, whatever the clocks say, after it was taken. */
const LEASE_IS_CERTAIN_MS = 45 * SECOND_MS;

/** The account of a run. */
export class Ledger implements BucketWatcher {
  readonly events = new Map<string, Whereabouts>();
  lastSequence = 0;
  /** Of everything that was written, so that two runs can be compared. */
  readonly trace = createHash('sha256');
  watermark: WrittenWatermark | undefined;
  readonly #world: World;
  readonly #bucket: ModelBucket;
  readonly #profile: Pick<Profile, 'metricsLie' | 'expires'>;
  readonly #kept: KeptLedger;
  readonly #idsOf = new Map<string, readonly string[]>();
  readonly #loggedKeys = new Set<string>();
  /** The parts that a reader has who follows the log. */
  readonly #live = new Set<string>();
  readonly #gone = new Set<string>();
  /** Whose each event is, its line, and who has asked to be erased, by the name of the request. */
  readonly #guests = new Map<string, string>();
  readonly #lines = new Map<string, Readonly<Record<string, unknown>>>();
  /** Up to when days are looked at that are over. */
  #overBefore = 0;
  #isWantedNoMore = false;
  readonly #asked = new Map<string, Asked>();
  /** The sequence of each part, and of the part that has replaced it. */
  readonly #sequences = new Map<string, number>();
  readonly #replacements = new Map<number, number>();
  /** The events of the parts that take the place of no other. */
  readonly #added = new Map<number, readonly string[]>();
  readonly #table: TableLedger;
  #unproven: Whereabouts[] = [];
  #lease: { run: string; until: number; writtenAt: number } | undefined;

  constructor(world: World, bucket: ModelBucket, profile: Pick<Profile, 'metricsLie' | 'expires'>) {
    this.#world = world;
    this.#bucket = bucket;
    this.#profile = profile;
    this.#kept = new KeptLedger(bucket);
    const ledger = this;
    this.#table = new TableLedger(world, bucket, {
      eventsThrough: (sequence) => [...this.#added].filter(([at]) => at <= sequence).flatMap(([, ids]) => ids),
      replacementOf: (sequence) => this.#replacements.get(sequence),
      get lastSequence() {
        return ledger.lastSequence;
      },
      isMissing: (moment, sequence) =>
        this.events
          .values()
          .find((event) => event.receivedAt < moment && event.logged > sequence && !event.late && event.acknowledged)
          ?.id,
      wrongRow: (row, hidden) => this.#wrongTableRow(row, hidden),
    });
  }

  /** An event was answered 202. */
  acknowledge(id: string, receivedAt: number): void {
    const event = this.#event(id, receivedAt);
    event.acknowledged = true;
    this.#mustBeSomewhere(event);
    if (this.watermark !== undefined && receivedAt < Date.parse(this.watermark.complete_through)) {
      this.#prove(event, this.watermark);
    }
  }

  /** What has to be kept beside events. */
  get kept(): KeptLedger {
    return this.#kept;
  }

  /** An event comes in. */
  receive(id: string, guest: string, line: string): void {
    this.#guests.set(id, guest);
    this.#lines.set(id, JSON.parse(line));
  }

  /** A guest is about to ask. */
  ask(guest: string, erasureId: string, through: number): void {
    this.#asked.set(erasureId, { guest, through, made: false, stage: '' });
  }

  /** Whether the request of a guest is in the bucket. */
  isAsked(guest: string): boolean {
    return this.#asked.values().some((asked) => asked.guest === guest && asked.made);
  }

  /** Whether what a guest sent at a moment is to be erased. */
  #isWanted(guest: string | undefined, receivedAt: number): boolean {
    return this.#asked.values().some((asked) => asked.made && asked.guest === guest && receivedAt <= asked.through);
  }

  /** Whether the guests of a day are to be erased since it is over, or may be already. */
  #isOver(receivedAt: number, moment: number): boolean {
    const end = (Math.floor(receivedAt / DAY_MS) + 1) * DAY_MS;
    return this.#profile.expires && end <= moment;
  }

  /** What a queue has to tell. */
  readonly queueWatcher: QueueWatcher = {
    onEnter: ({ body }) => this.#count(idsIn(body), 'queued', 1),
    onLeave: ({ body }) => this.#count(idsIn(body), 'queued', -1),
  };

  onPut(object: ModelObject, before: ModelObject | undefined): void {
    const { key } = object;
    this.#table.onPut(object, before);
    this.trace.update(`${this.#world.now} ${key} ${object.etag}\n`);
    if (before !== undefined && CREATE_ONLY.test(key)) this.#world.violate(`${key} was overwritten`);
    if (this.#gone.has(key)) this.#world.violate(`${key} was created again`);
    if (key === 'events/v1/_watermark.json') this.#onWatermark(JSON.parse(textOf(object)));
    else if (key === 'publish/lease.json') this.#onLease(JSON.parse(textOf(object)));
    else if (key.startsWith('events/v1/_log/')) this.#onEntry(key, JSON.parse(textOf(object)));
    else if (REQUEST.test(key)) this.#onErasure(REQUEST, key, 'made');
    else if (RECORD.test(key)) this.#onErasure(RECORD, key, JSON.parse(textOf(object)).stage);
    else {
      const place = placeOf(key);
      if (place === undefined) return;
      const ids = idsIn(textOf(object));
      this.#idsOf.set(key, ids);
      // The same events as in the part that it replaces, which goes when readers know of this one.
      if (object.customMetadata.stands_for !== undefined) return;
      this.#count(ids, place, 1);
    }
  }

  onDelete(object: ModelObject): void {
    const { key } = object;
    this.#table.onDelete(object);
    if (key.startsWith('iceberg/')) return void this.#gone.add(key);
    const place = placeOf(key);
    if (place !== 'landed') this.#gone.add(key);
    if (place === 'published') {
      if (this.#live.has(key)) this.#world.violate(`${key} was deleted while readers had no other`);
      else if (!this.#loggedKeys.has(key)) this.#world.violate(`${key} was deleted before readers knew it`);
      return;
    }
    if (place !== undefined) this.#count(this.#idsOf.get(key) ?? [], place, -1);
    if (place !== 'landed' && !(this.#isWantedNoMore && REQUEST.test(key))) this.#world.violate(`${key} was deleted`);
  }

  #onErasure(pattern: RegExp, key: string, stage: string): void {
    const asked = this.#asked.get(pattern.exec(key)?.[1] ?? '');
    if (asked === undefined) return;
    asked.made = true;
    asked.stage = stage;
  }

  /** Who is still there though the erasure says that it is finished, or is not though nobody has asked for it. */
  #unerased(): string | undefined {
    const unfinished = this.#asked.values().find(({ made, stage }) => made && stage !== 'finished');
    if (unfinished !== undefined) return `${unfinished.guest} is not erased: ${unfinished.stage}`;
    for (const object of this.#bucket.objects.values()) {
      const { key } = object;
      if (placeOf(key) === 'published' && !this.#live.has(key)) return `${key} is in no entry of the log`;
      // What is not published is not edited.
      for (const line of placeOf(key) === 'published' ? (textOf(object).match(/[^\n]+/g) ?? []) : []) {
        const wrong = this.#wrongRow(line);
        if (wrong !== undefined) return `${wrong} in ${key}`;
      }
    }
    return undefined;
  }

  #wrongRow(line: string): string | undefined {
    const row: Row = JSON.parse(line);
    const before = this.#lines.get(row.event_id) ?? {};
    const other = Object.keys(before).find((name) => !REWRITTEN.has(name) && row[name] !== before[name]);
    return other === undefined ? this.#wrongGuest(row, false) : `${other} has changed in ${row.event_id}`;
  }

  /** In the table a guest may be hidden who is there in `events/`. */
  #wrongTableRow(row: TableRow, hidden: boolean): string | undefined {
    return this.#wrongGuest(row, hidden);
  }

  #wrongGuest({ event_id: id, customer_id: customer, warnings }: TableRow, hidden: boolean): string | undefined {
    const guest = this.#guests.get(id);
    const receivedAt = timeIn(id);
    const isErased = customer === null && warnings.includes('erased');
    const mustBe = this.#isWanted(guest, receivedAt) || this.#isOver(receivedAt, this.#overBefore);
    if (mustBe) return isErased ? undefined : `${guest} is not erased from ${id}`;
    if (isErased && this.#isOver(receivedAt, this.#world.now + CLOCKS_MS)) return undefined;
    return customer === (hidden ? null : guest) ? undefined : `${customer} stands for ${guest} in ${id}`;
  }

  /** Whether all is published, and the watermark has passed a moment. */
  isComplete(moment: number): boolean {
    return this.#incomplete(moment) === undefined;
  }

  /** What must hold in the end, when nothing has failed for long. */
  checkEnd(queued: number, activeUntil: number): void {
    const wrong = queued > 0 ? `${queued} messages were never settled` : this.#incomplete(activeUntil);
    if (wrong !== undefined) this.#world.violate(wrong);
  }

  /** Nothing of a guest who has asked can come any more. */
  endRequests(): void {
    this.#isWantedNoMore = true;
  }

  /** What must hold some time after that. */
  checkRequestsDeleted(): void {
    const left = [...this.#bucket.objects.keys()].find((key) => REQUEST.test(key));
    if (left !== undefined) this.#world.violate(`${left} is there though nothing of the guest can come`);
  }

  #incomplete(moment: number): string | undefined {
    this.#overBefore = moment;
    const events = [...this.events.values()];
    const missing = events.filter(({ acknowledged, logged }) => acknowledged && logged === 0);
    if (missing.length > 0) return `${missing.length} events were never published, such as ${missing[0]?.id}`;
    const left = [...this.#bucket.objects.keys()].filter((key) => key.startsWith('landing/'));
    if (left.length > 0) return `${left.length} objects stay in landing/, such as ${left[0]}`;
    const { complete_through: through, late_events: counted } = this.watermark ?? {};
    if (!(Date.parse(through ?? '') > moment)) return `the watermark stands still at ${through}`;
    const unerased = this.#unerased() ?? this.#kept.missing() ?? this.#table.incomplete();
    if (unerased !== undefined) return unerased;
    const late = events.filter((event) => event.late).length;
    return late === counted ? undefined : `${late} events were late, ${counted} were counted`;
  }

  #event(id: string, receivedAt = timeIn(id)): Whereabouts {
    const known = this.events.get(id);
    if (known !== undefined) return known;
    const counts = { queued: 0, landed: 0, deadLettered: 0, published: 0, logged: 0 };
    const event = { id, receivedAt, acknowledged: false, ...counts, late: false };
    this.events.set(id, event);
    this.#unproven.push(event);
    return event;
  }

  #count(ids: readonly string[], place: Place, by: 1 | -1): void {
    for (const id of ids) {
      const event = this.#event(id);
      event[place] += by;
      if (place === 'published' && event.published > 1) this.#world.violate(`${id} is in events/ twice`);
      if (by < 0) this.#mustBeSomewhere(event);
    }
  }

  #mustBeSomewhere({ id, acknowledged, queued, landed, deadLettered, logged }: Whereabouts): void {
    if (acknowledged && queued + landed + deadLettered + logged === 0) this.#world.violate(`${id} is lost`);
  }

  #onEntry(key: string, entry: Entry): void {
    const number = Number(/(\d+)\.json$/.exec(key)?.[1]);
    if (number !== this.lastSequence + 1 || entry.sequence !== number)
      this.#world.violate(`the log has a gap at ${key}`);
    this.lastSequence = number;
    const part = this.#bucket.get(entry.key);
    if (part === undefined) {
      this.#world.violate(`${key} names a part that is not there`);
      return;
    }
    if (this.#loggedKeys.has(entry.key)) this.#world.violate(`${entry.key} is in the log twice`);
    this.#loggedKeys.add(entry.key);
    const ids = this.#idsOf.get(entry.key) ?? [];
    const sha256 = createHash('sha256').update(part.body).digest('hex');
    if (entry.rows !== ids.length || entry.bytes !== part.body.length || entry.sha256 !== sha256) {
      this.#world.violate(`${key} does not describe its part`);
    }
    for (const id of ids) this.#event(id).logged ||= number;
    this.#sequences.set(entry.key, number);
    if (entry.replaces === null) this.#added.set(number, ids);
    if (entry.replaces !== null) {
      this.#replacements.set(this.#sequences.get(entry.replaces) ?? 0, number);
      const before = this.#idsOf.get(entry.replaces) ?? [];
      if (!this.#live.delete(entry.replaces)) this.#world.violate(`${key} replaces a part that readers do not have`);
      if (before.join() !== ids.join()) this.#world.violate(`${key} does not have the rows of what it replaces`);
    } else if (part.customMetadata.stands_for !== undefined) {
      this.#world.violate(`${key} adds a part that replaces another`);
    }
    this.#live.add(entry.key);
  }

  #onWatermark(next: WrittenWatermark): void {
    const through = Date.parse(next.complete_through);
    if (this.watermark !== undefined && through < Date.parse(this.watermark.complete_through)) {
      this.#world.violate(`the watermark fell to ${next.complete_through}`);
    }
    if (next.log_sequence > this.lastSequence) this.#world.violate('the watermark names an entry that is not there');
    this.watermark = next;
    this.#unproven = this.#unproven.filter((event) => event.receivedAt >= through || !this.#prove(event, next));
  }

  /** Whether nothing is left to prove for an event that the watermark has passed. */
  #prove(event: Whereabouts, { complete_through, log_sequence }: WrittenWatermark): boolean {
    if (event.late || event.deadLettered > 0) return true;
    if (event.logged > 0 && event.logged <= log_sequence) return true;
    // One that nobody was promised may still be on its way.
    const known = event.queued + event.landed > 0;
    if (!event.acknowledged && !known) return false;
    if (this.#profile.metricsLie) event.late = true;
    else this.#world.violate(`${event.id} is not published, and the watermark is at ${complete_through}`);
    return true;
  }

  #onLease({ run, lease_until: until }: { run: string; lease_until: number }): void {
    const { now } = this.#world;
    const held = this.#lease;
    if (held !== undefined && held.until > 0 && held.run !== run && now < held.writtenAt + LEASE_IS_CERTAIN_MS) {
      this.#world.violate('a run took the lease while another had it');
    }
    // One that was written long after it was asked for may be over.
    this.#lease = { run, until, writtenAt: this.#world.belated ? Number.NEGATIVE_INFINITY : now };
  }
}

interface Entry {
  readonly sequence: number;
  readonly key: string;
  readonly replaces: string | null;
  readonly rows: number;
  readonly sha256: string;
  readonly bytes: number;
}

type Place = 'queued' | 'landed' | 'deadLettered' | 'published';

function placeOf(key: string): Place | undefined {
  if (key.startsWith('landing/')) return 'landed';
  if (key.startsWith('dead-letter/')) return 'deadLettered';
  return key.startsWith('events/v1/dt=') ? 'published' : undefined;
}

const decoder = new TextDecoder();

function textOf({ body }: ModelObject): string {
  return decoder.decode(body);
}

/** The events in a text, also where it is quoted in another. */
function idsIn(body: unknown): string[] {
  return typeof body === 'string' ? Array.from(body.matchAll(EVENT_ID), ([, id = '']) => id) : [];
}

function timeIn(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
