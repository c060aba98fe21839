/** What makes two events, or two bodies, equal. Pure: a digest is a function of its input and nothing else. */

import type { Reservation } from './reservation.ts';

/** 128 bits of a digest are enough to tell events apart. */
export const FINGERPRINT_BYTES = 16;

const encoder = new TextEncoder();

/**
 * Identifies the content of an event: its reservation columns and `extra`, whatever the key order and spacing of the
 * body were. When it happened is not content: a reservation that is sent again unchanged, with a new `UpdatedUtc`, gets
 * the fingerprint it had.
 *
 * @param extra - Canonical JSON text, as it is stored.
 */
export function fingerprint(reservation: Reservation, extra: string | null): Promise<string> {
  return fingerprintOfBytes(encoder.encode(contentText(reservation, extra)));
}

/**
 * The content of an event as one text, whose SHA-256 the fingerprint is: `[["integration_id","int-1"],…]`. Columns that
 * are null take no part, so that a column added later leaves the fingerprints of events without it as they were.
 */
export function contentText(reservation: Reservation, extra: string | null): string {
  return `[${pairs({ ...reservation, extra }).slice(1)}]`;
}

/** The columns that are not null, each as `,["column",value]`: half the work of JSON.stringify for arrays of arrays. */
function pairs<Columns extends Readonly<Record<string, string | number | null>>>(columns: Columns): string {
  let text = '';
  for (const column in columns) {
    const value = columns[column];
    if (value !== null) text += `,["${column}",${JSON.stringify(value)}]`;
  }
  return text;
}

/**
 * Identifies bytes.
 *
 * @returns The first 128 bits of their SHA-256 (FIPS 180-4), as 32 lower-case hex digits.
 */
export async function fingerprintOfBytes(bytes: BufferSource): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  return new Uint8Array(digest, 0, FINGERPRINT_BYTES).toHex();
}
