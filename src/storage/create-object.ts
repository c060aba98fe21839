/** Creating objects in R2 without ever overwriting one. */

import { countOf, writeCounts } from './counts.ts';
import { timeOf } from './event-id.ts';
import { recordIdOf, senderOf, startsAsEvent, startsAsRejection } from './line.ts';
import { rejectionFacts } from './rejection-facts.ts';
import { isWrittenTooOften } from './state.ts';

/** The only method of `R2Bucket` that is used here. */
export interface ObjectCreator {
  put(key: string, value: ObjectBody, options: R2PutOptions & { onlyIf: R2Conditional }): Promise<object | null>;
}

type ObjectBody = string | Uint8Array<ArrayBuffer> | ReadableStream;

/**
 * Creates an object unless the key exists.
 *
 * @returns The object, or null when the key exists or was written within the last second, in which case R2 refuses
 * another write. Only reading the key then tells whether that other write succeeded.
 * @throws When R2 does not confirm the write.
 */
export async function create(
  bucket: ObjectCreator,
  key: string,
  body: ObjectBody,
  options: Omit<R2PutOptions, 'onlyIf'>,
): Promise<object | null> {
  try {
    return await bucket.put(key, body, { ...options, onlyIf: { etagDoesNotMatch: '*' } });
  } catch (error) {
    if (isWrittenTooOften(error)) return null;
    throw error;
  }
}

/**
 * Creates an NDJSON object.
 *
 * @param lines - Finished lines, at least one: readers fail on an empty object.
 * @throws When R2 does not confirm the write, or when the key exists: R2 then returns null and writes nothing.
 */
export async function createObject(bucket: ObjectCreator, key: string, lines: readonly string[]): Promise<void> {
  if (!(await createObjectIfAbsent(bucket, key, lines))) {
    throw new Error(`Cannot create ${key}: an object of that name exists`);
  }
}

/**
 * Creates an NDJSON object unless the key exists.
 *
 * @param lines - As for {@link createObject}.
 * @returns Whether it was created.
 * @throws When R2 does not confirm the write.
 */
export async function createObjectIfAbsent(
  bucket: ObjectCreator,
  key: string,
  lines: readonly string[],
): Promise<boolean> {
  if (lines.length === 0) throw new Error(`Cannot create ${key}: there is no line to write`);
  const created = await create(bucket, key, lines.join(''), {
    httpMetadata: { contentType: 'application/x-ndjson' },
    customMetadata: { ...describeLines(lines), ...describeSenders(lines) },
  });
  return created !== null;
}

/** What a listing shows without reading the object: its lines, how many are events, and when the first was received. */
function describeLines(lines: readonly string[]): Record<string, string> {
  const ids = lines.filter(startsAsEvent).map(recordIdOf);
  const [first] = ids.toSorted();
  return {
    rows: String(lines.length),
    events: String(ids.length),
    ...(first !== undefined && { first_received_at: timeOf(first).toISOString() }),
  };
}

/** The senders of the lines and, for refused bodies, what was wrong with them. */
function describeSenders(lines: readonly string[]): Record<string, string> {
  const rejections = lines.filter(startsAsRejection);
  if (rejections.length > 0) return rejectionFacts(rejections);
  const senders = countOf(lines.filter(startsAsEvent).map(senderOf));
  return senders.size === 0 ? {} : { senders: writeCounts(senders) };
}
