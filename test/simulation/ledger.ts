/** What must hold, checked at every change of the bucket and the queues. */

import { createHash } from 'node:crypto';
import { AlarmLedger } from './alarm-ledger.ts';
import { ErasureLedger } from './erasure-ledger.ts';
import { KeptLedger } from './kept-ledger.ts';
import type { BucketWatcher, ModelBucket, ModelObject } from './model-bucket.ts';
import type { QueueWatcher } from './model-queue.ts';
import { type Profile, SECOND_MS } from './profile.ts';
import { idsIn, type Place, placeOf, textOf, timeIn } from './stored.ts';
import { TableLedger } from './table-ledger.ts';
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

const CREATE_ONLY =
  /^(?:landing|rejected|dead-letter|replayed|unreadable|erasures\/requests)\/|^events\/v1\/(?:dt=|_log\/)/;

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
  readonly #profile: Pick<Profile, 'metricsLie'>;
  readonly #idsOf = new Map<string, readonly string[]>();
  readonly #loggedKeys = new Set<string>();
  /** The parts that a reader has who follows the log. */
  readonly #live = new Set<string>();
  readonly #gone = new Set<string>();
  readonly erasures: ErasureLedger;
  readonly alarms: AlarmLedger;
  readonly kept: KeptLedger;
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
    this.kept = new KeptLedger(bucket);
    this.erasures = new ErasureLedger(world, bucket, profile);
    this.alarms = new AlarmLedger(world, bucket);
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
      wrongRow: (row, hidden) => this.erasures.wrongRow(row, hidden),
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

  /** What a queue has to tell. */
  readonly queueWatcher: QueueWatcher = {
    onEnter: ({ body }) => this.#count(idsIn(body), 'queued', 1),
    onLeave: ({ body }) => this.#count(idsIn(body), 'queued', -1),
  };

  onPut(object: ModelObject, before: ModelObject | undefined): void {
    const { key } = object;
    this.#table.onPut(object, before);
    this.erasures.onPut(object);
    this.alarms.onPut(object);
    this.trace.update(`${this.#world.now} ${key} ${object.etag}\n`);
    if (before !== undefined && CREATE_ONLY.test(key)) this.#world.violate(`${key} was overwritten`);
    if (this.#gone.has(key)) this.#world.violate(`${key} was created again`);
    if (key === 'events/v1/_watermark.json') this.#onWatermark(JSON.parse(textOf(object)));
    else if (key === 'publish/lease.json') this.#onLease(JSON.parse(textOf(object)));
    else if (key.startsWith('events/v1/_log/')) this.#onEntry(key, JSON.parse(textOf(object)));
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
    if (place !== 'landed' && !this.erasures.mayGo(key)) this.#world.violate(`${key} was deleted`);
  }

  /** Who is still there in what is published, or is not though nobody has asked for it. */
  #unerased(): string | undefined {
    // What is not published is not edited.
    for (const object of this.#bucket.objects.values()) {
      if (placeOf(object.key) !== 'published') continue;
      if (!this.#live.has(object.key)) return `${object.key} is in no entry of the log`;
      const wrong = this.erasures.wrongIn(object);
      if (wrong !== undefined) return wrong;
    }
    return this.erasures.wrongRecord();
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

  /** What must hold long after that, when nothing of a guest who has asked can come any more. */
  checkLongAfter(moment: number): void {
    this.erasures.overBefore = moment;
    const left = this.erasures.leftRequest();
    const wrong = left === undefined ? this.#unerased() : `${left} is there though nothing of the guest can come`;
    const also = wrong ?? this.#table.incomplete() ?? this.alarms.left();
    if (also !== undefined) this.#world.violate(also);
  }

  #incomplete(moment: number): string | undefined {
    this.erasures.overBefore = moment;
    const events = [...this.events.values()];
    const missing = events.filter(({ acknowledged, logged }) => acknowledged && logged === 0);
    if (missing.length > 0) return `${missing.length} events were never published, such as ${missing[0]?.id}`;
    const left = [...this.#bucket.objects.keys()].filter((key) => key.startsWith('landing/'));
    if (left.length > 0) return `${left.length} objects stay in landing/, such as ${left[0]}`;
    const { complete_through: through, late_events: counted } = this.watermark ?? {};
    if (!(Date.parse(through ?? '') > moment)) return `the watermark stands still at ${through}`;
    const unerased = this.#unerased() ?? this.kept.missing() ?? this.#table.incomplete();
    if (unerased !== undefined) return unerased;
    const raised = this.alarms.left('late_events');
    if (raised !== undefined) return raised;
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
    this.erasures.onPart(entry.key, entry.replaces);
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
