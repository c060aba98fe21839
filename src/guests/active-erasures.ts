/** The requests to erase guests that are in force: no data of these guests is written any more. */

import { type ErasureRequest, ErasureRequestSchema } from '../storage/erasure.ts';
import { ERASURE_REQUESTS } from '../storage/keys.ts';
import { listAll } from '../storage/many-objects.ts';
import { readState } from '../storage/state.ts';
import { createKeyedDigest, type KeyedDigest, keyCheckOf } from './digest.ts';
import { readRow } from './row-identifiers.ts';

/** A request, and when it was stored in the bucket, in milliseconds since 1970: runs that started later know it. */
export interface ActiveRequest extends ErasureRequest {
  readonly activeSince: number;
}

/** All requests in force, at least one. */
export interface ActiveErasures {
  /** Oldest first. */
  readonly requests: readonly ActiveRequest[];
  readonly digest: KeyedDigest;
  /** No request applies to rows that were both received and happened after this time; milliseconds since 1970. */
  readonly through: number;
  /** The number of rows that held more than is read, so that a guest in the rest was not found. */
  readonly cut: number;
  /**
   * The erasures that want a row.
   *
   * @param time - When it was received, or happened if that was earlier; milliseconds since 1970.
   */
  wanting(row: Readonly<Record<string, unknown>>, time: number): Wanting;
}

/** The erasures that want a row. */
export interface Wanting {
  /** Those whose guest is the guest of the stay: the guest columns are erased. */
  readonly own: readonly string[];
  /** Those whose guest is only named in a comment or in `extra`: these columns are erased. */
  readonly named: readonly string[];
}

const REMEDY = 'delete it, and ask for the guest again';

/**
 * Reads the requests. Without any, this takes one listing.
 *
 * @param key - PSEUDONYM_KEY.
 * @returns Undefined without requests.
 * @throws When there is one and the key is missing or not the one it was made with: guests could not be recognised.
 */
export async function loadErasures(
  bucket: Pick<R2Bucket, 'get' | 'list'>,
  key: string | undefined,
): Promise<ActiveErasures | undefined> {
  const requests: ActiveRequest[] = [];
  for await (const { key: requestKey, uploaded } of listAll(bucket, { prefix: ERASURE_REQUESTS })) {
    const { value: request } = await readState(bucket, requestKey, ErasureRequestSchema, REMEDY);
    if (request !== undefined) requests.push({ ...request, activeSince: uploaded.getTime() });
  }
  if (requests.length === 0) return undefined;
  if (key === undefined) {
    throw new Error(
      `Cannot erase guests: there are ${requests.length} requests below ${ERASURE_REQUESTS} and no PSEUDONYM_KEY; set the secret to the key that they were made with`,
    );
  }
  const digest = createKeyedDigest(key);
  const other = requests.find(({ key_check }) => key_check !== keyCheckOf(digest));
  if (other !== undefined) {
    throw new Error(
      `Cannot erase guests: request ${other.erasure_id} was made with another PSEUDONYM_KEY than the Worker has; set that one again, or delete the request and make it anew`,
    );
  }
  return activeErasures(requests, digest);
}

function activeErasures(requests: readonly ActiveRequest[], digest: KeyedDigest): ActiveErasures {
  const throughOf = ({ received_through }: ActiveRequest) => Date.parse(received_through);
  const wanted = Map.groupBy(
    requests.flatMap((request) => request.digests.map((each) => ({ each, request }))),
    ({ each }) => each,
  );
  const by = (identifiers: ReadonlySet<string>, time: number): Set<string> => {
    const found = [...identifiers].flatMap((identifier) => wanted.get(digest(identifier)) ?? []);
    return new Set(found.filter(({ request }) => time <= throughOf(request)).map(({ request }) => request.erasure_id));
  };
  let cut = 0;
  return {
    requests,
    digest,
    through: Math.max(...requests.map(throughOf)),
    get cut() {
      return cut;
    },
    wanting(row, time) {
      const { own: ownIdentifiers, named: namedIdentifiers, isCut } = readRow(row);
      const own = by(ownIdentifiers, time);
      if (isCut) cut += 1;
      return { own: [...own], named: [...by(namedIdentifiers, time).difference(own)] };
    },
  };
}
