/** Rewriting one part, with some of its guests erased, as a new part. */

import * as v from 'valibot';
import { uuidV7Text } from '../../contract/uuid-v7.ts';
import type { KeyedDigest } from '../../guests/digest.ts';
import { ERASED, eraseNamed, eraseRow } from '../../guests/erase-row.ts';
import type { Bucket } from '../../storage/bucket.ts';
import { replacedBy } from '../../storage/find-live.ts';
import { partitionIn } from '../../storage/keys.ts';
import { formatEventId, newEventIdWords, readEventId } from '../../storage/line-bytes.ts';
import { partKey } from '../../storage/log-entry.ts';
import { unpackedLines } from '../../storage/unpacked-lines.ts';
import { gzipMember, writeLines } from '../gzip.ts';
import { createPartObject, fromMetadata, type PartFacts, RowFacts } from '../part-facts.ts';

export const RewriteSchema = v.object({
  /** The part to be replaced, and the key of the new one, chosen before it is created. */
  replaces: partKey,
  key: partKey,
  /** The log has no entry of `key` up to this sequence. */
  sequence: v.number(),
  /** The rows whose guests are erased; null for all rows. */
  event_ids: v.nullable(v.array(uuidV7Text)),
  /** Rows of others that only name the guest. */
  named_in: v.array(uuidV7Text),
  /** The erasure that requires it; null when the retention of guests does. */
  erasure_id: v.nullable(uuidV7Text),
});

export type Rewrite = v.InferOutput<typeof RewriteSchema>;

export interface RewrittenPart {
  readonly facts: PartFacts;
  readonly erased: number;
}

export async function findRewritten(bucket: Pick<Bucket, 'head'>, key: string): Promise<RewrittenPart | undefined> {
  const object = await bucket.head(key);
  if (object === null) return undefined;
  return { facts: fromMetadata(object), erased: Number(object.customMetadata?.erased) };
}

/**
 * Creates the new part. All rows stay, in their order, and those that are not erased stay byte for byte.
 *
 * @returns Undefined when there is nothing to erase, or no such part.
 */
export async function createRewritten(
  bucket: Pick<Bucket, 'get' | 'head' | 'put'>,
  rewrite: Rewrite,
  digest: KeyedDigest,
): Promise<RewrittenPart | undefined> {
  const { key } = rewrite;
  const old = await bucket.get(rewrite.replaces);
  if (old === null) return undefined;
  const { body, facts, erased, empty } = await eraseRows(old, rewrite, digest);
  if (facts === undefined || erased === 0) return undefined;
  const more = { ...replacedBy(old), erased: String(erased), without_guest: String(empty) };
  return createPartObject(bucket, key, body, facts, more, { facts, erased }, () => findRewritten(bucket, key));
}

async function eraseRows(
  old: R2ObjectBody,
  { key, event_ids: eventIds, named_in: namedIn }: Rewrite,
  digest: KeyedDigest,
) {
  const selected = eventIds === null ? undefined : new Set(eventIds);
  const naming = new Set(namedIn);
  const facts = new RowFacts(partitionIn(key) ?? '');
  const id = newEventIdWords();
  let [erased, empty] = [0, 0];

  function rewrite(line: Uint8Array): Uint8Array {
    if (!readEventId(line, id)) return line;
    facts.add(id, line);
    const eventId = formatEventId(id);
    const before = decoder.decode(line);
    const isSelected = selected?.has(eventId) ?? true;
    const after = isSelected ? eraseRow(before, digest) : naming.has(eventId) ? eraseNamed(before, digest) : before;
    if (ERASED_LINE.test(after)) empty += 1;
    if (after === before) return line;
    erased += 1;
    return encoder.encode(after);
  }

  const body = await gzipMember(async (gzip) => {
    for await (const block of unpackedLines(old.body)) await writeLines(gzip, block, rewrite);
  });
  return { body, facts: await facts.of(body), erased, empty };
}

/** The warnings of a row whose guest was erased. No JSON string contains this text: quotes inside one are escaped. */
const ERASED_LINE = new RegExp(`,"warnings":\\[[^\\]]*"${ERASED}"`);

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();
