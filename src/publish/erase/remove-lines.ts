/**
 * Removing lines from objects of `rejected/`, `dead-letter/` and `unreadable/`, none of which is ever changed: the other
 * lines go into a new object, whose key is always the same, and then the old one goes. It can be done again from any point.
 */

import { fingerprintOfBytes } from '../../contract/fingerprint.ts';
import { createUnlessThere } from '../../storage/create-object.ts';
import { REPLAYED } from '../../storage/keys.ts';
import type { Bucket } from '../bucket.ts';
import type { Left } from './wanted-lines.ts';

/** What is left of an object, and where. */
export interface Removed {
  /** Null when no line is left. */
  readonly key: string | null;
  readonly replaces: string;
  /** How many lines were removed. */
  readonly lines: number;
}

/**
 * Removes lines.
 *
 * @param left - What is left of the object that is there now.
 * @param erasureId - The erasure that asks for it.
 */
export async function removeLines(
  bucket: Bucket,
  object: R2ObjectBody,
  { rest, removed }: Left,
  erasureId: string,
): Promise<Removed> {
  const replaces = object.key;
  const key = rest.length === 0 ? null : await keyOfRest(replaces, erasureId);
  if (key !== null && (await bucket.head(key)) === null) {
    // What was replayed must not be replayed again for having another name.
    const note = await bucket.get(`${REPLAYED}${replaces}`);
    if (note !== null) await bucket.put(`${REPLAYED}${key}`, await note.arrayBuffer());
    await createRest(bucket, key, rest, object);
  }
  await bucket.delete(replaces);
  return { key, replaces, lines: removed };
}

/** What was removed from an object that is no longer there, by a run that was killed or by the time that it is kept. */
export async function findRemoved(
  bucket: Pick<Bucket, 'head'>,
  replaces: string,
  lines: number,
  erasureId: string,
): Promise<Removed> {
  const key = await keyOfRest(replaces, erasureId);
  return { key: (await bucket.head(key)) === null ? null : key, replaces, lines };
}

async function createRest(bucket: Bucket, key: string, rest: Uint8Array, { httpMetadata }: R2Object): Promise<void> {
  if (key.startsWith('unreadable/')) {
    await bucket.put(key, rest, { onlyIf: { etagDoesNotMatch: '*' }, ...(httpMetadata && { httpMetadata }) });
  } else {
    // Counts in the metadata are those of the lines that are left.
    await createUnlessThere(bucket, key, new TextDecoder().decode(rest).match(/[^\n]*\n|[^\n]+$/g) ?? []);
  }
}

const encoder = new TextEncoder();

/** The name that keeps the time of the old one, so that objects stay in their order. */
async function keyOfRest(replaces: string, erasureId: string): Promise<string> {
  const digest = await fingerprintOfBytes(encoder.encode(`${erasureId} ${replaces}`));
  const renamed = replaces.replace(
    /([\da-f]{8}-[\da-f]{4}-7)[\da-f]{3}-([89ab])[\da-f]{3}-[\da-f]{12}/,
    (_, time: string, variant: string) => {
      return `${time}${digest.slice(0, 3)}-${variant}${digest.slice(3, 6)}-${digest.slice(6, 18)}`;
    },
  );
  return renamed === replaces ? `${replaces}-${digest}` : renamed;
}
