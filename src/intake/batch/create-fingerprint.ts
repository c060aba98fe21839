/** The fingerprints of many events without a promise for each, which is what a digest of Web Crypto takes. */

import { hash } from 'node:crypto';
import { contentText, FINGERPRINT_BYTES } from '../../contract/fingerprint.ts';
import type { Reservation } from '../../contract/reservation.ts';

/** The content of nearly every event fits, in UTF-8 bytes. */
const ROOM_BYTES = 16_384;

/** UTF-8 takes no more than so many bytes for each UTF-16 code unit (RFC 3629). */
const MAX_BYTES_PER_UNIT = 3;

const encoder = new TextEncoder();

/** Gives what `fingerprint()` of the contract gives, at once. */
export type Fingerprint = (reservation: Reservation, extra: string | null) => string;

/** Makes the room in which the contents of one batch are hashed. */
export function createFingerprint(): Fingerprint {
  // Encoding into the same bytes again and again leaves no garbage.
  const room = new Uint8Array(ROOM_BYTES);
  return (reservation, extra) => {
    const text = contentText(reservation, extra);
    const fits = text.length * MAX_BYTES_PER_UNIT <= ROOM_BYTES;
    const bytes = fits ? room.subarray(0, encoder.encodeInto(text, room).written) : encoder.encode(text);
    return hash('sha256', bytes, 'buffer').toString('hex', 0, FINGERPRINT_BYTES);
  };
}
