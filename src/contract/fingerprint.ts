/** Fingerprints, by which equal events and equal bodies are recognised. Pure: a digest depends on its input alone. */

import type { Reservation } from './reservation.ts';

/** 128 bits of the digest are enough to tell events apart. */
export const FINGERPRINT_BYTES = 16;

const encoder = new TextEncoder();

/**
 * Fingerprints the content of an event: its reservation columns and `extra`, regardless of the key order and spacing of
 * the body. The time of the event is not content: a reservation sent again unchanged with a new `UpdatedUtc` has the
 * same fingerprint.
 *
 * @param extra - Canonical JSON text, as it is stored.
 */
export function fingerprint(reservation: Reservation, extra: string | null): Promise<string> {
  return fingerprintOfBytes(encoder.encode(contentText(reservation, extra)));
}

/**
 * The content of an event as the text that is hashed with SHA-256: `[["integration_id","int-1"],…]`. Null columns are
 * left out, so that a column added later does not change the fingerprints of events without it.
 */
export function contentText(reservation: Reservation, extra: string | null): string {
  return `[${(pairs(reservation) + pairs({ extra })).slice(1)}]`;
}

/** The columns that are not null, each as `,["column",value]`. JSON.stringify of nested arrays takes twice as long. */
function pairs<Columns extends Readonly<Record<string, string | number | null>>>(columns: Columns): string {
  let text = '';
  for (const column in columns) {
    const value = columns[column];
    if (value !== null) text += `,["${column}",${JSON.stringify(value)}]`;
  }
  return text;
}

/** The first 128 bits of the SHA-256 of some bytes (FIPS 180-4), as 32 lower-case hex digits. */
export async function fingerprintOfBytes(bytes: BufferSource): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  return new Uint8Array(digest, 0, FINGERPRINT_BYTES).toHex();
}
