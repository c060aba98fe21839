/** Writing to R2 so that nothing is ever overwritten. */

import { countOf, writeCounts } from './counts.ts';
import { timeOf } from './event-id.ts';
import { recordIdOf, senderOf, startsAsEvent, startsAsRejection } from './line.ts';
import { rejectionFacts } from './rejection-facts.ts';
import { isWrittenTooOften } from './state.ts';

/** The one call of an R2 bucket that is needed here; an R2Bucket is one. */
export interface ObjectCreator {
  put(key: string, value: ObjectBody, options: R2PutOptions & { onlyIf: R2Conditional }): Promise<object | null>;
}

type ObjectBody = string | Uint8Array<ArrayBuffer> | ReadableStream;

/**
 * Creates an object, unless there is one of that name.
 *
 * @returns The object, or null when there is one already, or another was about to create it within the last second, since
 * R2 then refuses to be asked. Whether that one came to be is to be seen by reading it.
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
 * Creates an object of NDJSON.
 *
 * @param lines - Finished lines, at least one: an empty object upsets readers.
 * @throws When R2 does not confirm the write, or when the key is taken, in which case R2 answers null and writes nothing.
 */
export async function createObject(bucket: ObjectCreator, key: string, lines: readonly string[]): Promise<void> {
  if (!(await createUnlessThere(bucket, key, lines))) {
    throw new Error(`Cannot create ${key}: an object of that name exists`);
  }
}

/**
 * Creates an object of NDJSON, unless there is one of that name.
 *
 * @param lines - As for {@link createObject}.
 * @returns Whether it was created.
 * @throws When R2 does not confirm the write.
 */
export async function createUnlessThere(
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

/** What a listing then says without reading: how many lines, how many of them events, and since when the first waits. */
function describeLines(lines: readonly string[]): Record<string, string> {
  const ids = lines.filter(startsAsEvent).map(recordIdOf);
  const [first] = ids.toSorted();
  return {
    rows: String(lines.length),
    events: String(ids.length),
    ...(first !== undefined && { first_received_at: timeOf(first).toISOString() }),
  };
}

/** Who sent the lines and, of refused bodies, what was wrong with them. */
function describeSenders(lines: readonly string[]): Record<string, string> {
  const rejections = lines.filter(startsAsRejection);
  if (rejections.length > 0) return rejectionFacts(rejections);
  const senders = countOf(lines.filter(startsAsEvent).map(senderOf));
  return senders.size === 0 ? {} : { senders: writeCounts(senders) };
}
