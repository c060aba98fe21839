/** What makes two events, or two bodies, equal. Pure: a digest is a function of its input and nothing else. */

import type { Reservation } from './reservation.ts';

const FINGERPRINT_BYTES = 16;

const encoder = new TextEncoder();

/**
 * Identifies the content of an event: the same columns give the same fingerprint, whatever the key order and spacing
 * of the body were. Columns that are null take no part, so that a column added later leaves the fingerprints of events
 * without it as they were.
 */
export function fingerprint(reservation: Reservation): Promise<string> {
  const present = Object.entries(reservation).filter(([, value]) => value !== null);
  return fingerprintOfBytes(encoder.encode(JSON.stringify(present)));
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
