/** The facts about a part, collected while it is built or read from its metadata. */

import * as v from 'valibot';
import { writeCounts } from '../storage/counts.ts';
import { create } from '../storage/create-object.ts';
import { timestampOf } from '../storage/event-id.ts';
import { PARTITION_MS, partitionIn, startOf } from '../storage/keys.ts';
import {
  type EventIdWords,
  formatEventId,
  isBefore,
  millisecondsOf,
  newEventIdWords,
  readSchemaVersion,
  readSender,
} from '../storage/line-bytes.ts';
import type { NewEntry } from '../storage/part-log.ts';
import { Minutes } from './minutes.ts';

/** The facts that the log entry of a part has, and those that only its metadata have. */
export interface PartFacts
  extends Pick<NewEntry, 'rows' | 'bytes' | 'sha256' | 'first_event_id' | 'last_event_id' | 'schema_versions'> {
  /** The number of rows of each sender, as written by `writeCounts()`. */
  readonly senders: string;
  /** The minutes of the hour in which its rows were received, as written by {@link Minutes}. */
  readonly minutes: string;
}

export class RowFacts {
  rows = 0;
  readonly #minutes = new Minutes();
  readonly #versions = new Set<number>();
  readonly #senders = new Map<string, number>();
  readonly #first = newEventIdWords();
  readonly #last = newEventIdWords();

  readonly #hourStart: number;

  constructor(partition: string) {
    this.#hourStart = startOf(partition);
  }

  /** Whether an event_id belongs to the hour of the part. */
  isOfHour(id: EventIdWords): boolean {
    const time = millisecondsOf(id) - this.#hourStart;
    return time >= 0 && time < PARTITION_MS;
  }

  /** Adds a row of the hour. The event_id is copied. */
  add(id: EventIdWords, line: Uint8Array): void {
    this.#minutes.add(millisecondsOf(id) - this.#hourStart);
    if (this.rows === 0 || isBefore(id, this.#first)) this.#first.set(id);
    if (this.rows === 0 || isBefore(this.#last, id)) this.#last.set(id);
    const version = readSchemaVersion(line);
    if (version !== undefined) this.#versions.add(version);
    const sender = readSender(line);
    if (sender !== undefined) this.#senders.set(sender, (this.#senders.get(sender) ?? 0) + 1);
    this.rows += 1;
  }

  /** The facts of the packed part, or undefined when it has no rows. */
  async of(body: Uint8Array<ArrayBuffer>): Promise<PartFacts | undefined> {
    if (this.rows === 0) return undefined;
    return {
      rows: this.rows,
      bytes: body.byteLength,
      sha256: new Uint8Array(await crypto.subtle.digest('SHA-256', body)).toHex(),
      first_event_id: formatEventId(this.#first),
      last_event_id: formatEventId(this.#last),
      schema_versions: [...this.#versions].sort((left, right) => left - right),
      senders: writeCounts(this.#senders),
      minutes: String(this.#minutes),
    };
  }
}

/**
 * Creates a part unless the key exists.
 *
 * @param more - Metadata beside its facts. Together they take at most 2 kB of the 8,192 bytes that R2 keeps (R2,
 * Limits).
 * @returns `made` when it was created; otherwise the part of another attempt, as returned by `find`.
 */
export async function createPartObject<Made>(
  bucket: Pick<R2Bucket, 'put'>,
  key: string,
  body: Uint8Array<ArrayBuffer>,
  facts: PartFacts,
  more: Readonly<Record<string, string>>,
  made: Made,
  find: () => Promise<Made | undefined>,
): Promise<Made> {
  const { rows, bytes, schema_versions, ...metadata } = facts;
  const created = await create(bucket, key, body, {
    // No contentEncoding: with it, some clients would decompress the object and others would not.
    httpMetadata: { contentType: 'application/gzip' },
    customMetadata: { ...metadata, rows: String(rows), schema_versions: schema_versions.join(','), ...more },
    // R2 refuses the object if the bytes do not match.
    sha256: facts.sha256,
  });
  const there = created === null ? await find() : made;
  if (there !== undefined) return there;
  throw new Error(`Cannot create ${key}: R2 says that it exists and that it does not`);
}

const numberText = v.pipe(v.string(), v.regex(/^[1-9]\d*$/), v.transform(Number), v.safeInteger());

const MetadataSchema = v.object({
  rows: numberText,
  sha256: v.string(),
  first_event_id: v.string(),
  last_event_id: v.string(),
  schema_versions: v.pipe(
    v.string(),
    v.transform((text) => (text === '' ? [] : text.split(','))),
    v.array(numberText),
  ),
  senders: v.string(),
  minutes: v.string(),
});

/**
 * Reads the facts from the metadata of a part.
 *
 * @throws When the object was written by something other than this service, without them.
 */
export function fromMetadata({
  key,
  size,
  customMetadata,
}: Pick<R2Object, 'key' | 'size' | 'customMetadata'>): PartFacts {
  const parsed = v.safeParse(MetadataSchema, customMetadata);
  if (!parsed.success) throw new Error(`Cannot read ${key}: its metadata do not say what is in it; restore them`);
  const { rows, ...facts } = parsed.output;
  return { rows, bytes: size, ...facts };
}

/** The log entry that adds a part, or replaces another with it. */
export function toEntry(
  key: string,
  { senders, minutes, schema_versions, ...facts }: PartFacts,
  replaces: string | null = null,
): NewEntry {
  const partition = partitionIn(key);
  if (partition === undefined) throw new Error(`Cannot log ${key}: it lies in no partition`);
  return {
    operation: replaces === null ? 'add' : 'replace',
    key,
    replaces,
    partition,
    ...facts,
    first_received_at: timestampOf(facts.first_event_id),
    last_received_at: timestampOf(facts.last_event_id),
    schema_versions,
  };
}
