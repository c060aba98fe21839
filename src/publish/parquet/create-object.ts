/** Creating a columnar object, whose metadata say what its log entry has to say. */

import type { ParquetEntry } from '../../storage/parquet-entry.ts';
import type { Bucket } from '../bucket.ts';
import { buildObject } from './build-object.ts';
import type { Guests } from './guests.ts';

/** What the log says of the object itself. */
export type ObjectFacts = Pick<
  ParquetEntry,
  | 'rows'
  | 'bytes'
  | 'sha256'
  | 'first_event_id'
  | 'last_event_id'
  | 'first_received_at'
  | 'last_received_at'
  | 'schema_versions'
  | 'guest_columns'
>;

/** The object of an attempt before this one. */
export async function findObject(bucket: Pick<Bucket, 'head'>, key: string): Promise<ObjectFacts | undefined> {
  const object = await bucket.head(key);
  if (object === null) return undefined;
  const facts = object.customMetadata?.facts;
  if (facts === undefined) {
    throw new Error(
      `Cannot finish ${key}: its metadata do not say what is in it; delete the object, and it is made anew`,
    );
  }
  // Written by createObject(), below.
  return JSON.parse(facts) as ObjectFacts;
}

/**
 * Reads the parts and creates the object, unless another attempt has done so meanwhile.
 *
 * @param sequence - Of the entry that the log is to have of it.
 * @returns Undefined when one of the parts is no longer there.
 */
export async function createObject(
  bucket: Pick<Bucket, 'get' | 'head' | 'put'>,
  key: string,
  parts: readonly string[],
  groupRows: number,
  sequence: number,
  guests: Guests,
): Promise<ObjectFacts | undefined> {
  const built = await buildObject(bucket, parts, groupRows, guests);
  if (built === undefined) return undefined;
  const { body, ...rows } = built;
  const sha256 = new Uint8Array(await crypto.subtle.digest('SHA-256', body)).toHex();
  const facts: ObjectFacts = { ...rows, bytes: body.byteLength, sha256, guest_columns: guests.columns };
  const created = await bucket.put(key, body, {
    onlyIf: { etagDoesNotMatch: '*' },
    // R2 refuses the object when what arrives has another one.
    sha256,
    httpMetadata: { contentType: 'application/vnd.apache.parquet' },
    customMetadata: { facts: JSON.stringify(facts), sequence: String(sequence), guests: guests.mark },
  });
  return created === null ? findObject(bucket, key) : facts;
}
