/** Restores the text of a stored body: that of a refused request or an unrecognised message. */

import { constants, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { isZlibError } from '../stored-lines.ts';

/** A stored body, with the members that `rejected/` and `dead-letter/` share. */
export interface KeptBody {
  readonly body: string;
  readonly body_encoding: string;
  /** The Content-Encoding the sender applied; null or absent if it applied none. */
  readonly content_encoding?: string | null | undefined;
}

/** Limit for an unpacked body, in bytes. No batch may be larger. */
const MAX_UNPACKED_BYTES = 1024 * 1024;

/**
 * Decodes a body into readable text and unpacks as much of it as it can. Never throws because of what a body contains.
 *
 * @returns The text, and whether the unpacked body exceeds the limit and was cut there.
 */
export async function textOfBody({ body, body_encoding: encoding, content_encoding }: KeptBody) {
  if (encoding !== 'base64') return { text: body, isCut: false };
  // Buffer skips characters that are not Base64.
  const bytes = Buffer.from(body, 'base64');
  for (const unpack of unpackersOf(bytes, content_encoding)) {
    const unpacked = await read(bytes, unpack);
    if (unpacked.bytes.length > 0) return { text: decode(unpacked.bytes), isCut: unpacked.isCut };
  }
  return { text: decode(bytes), isCut: false };
}

/** Accepts truncated input: the end of a body may be missing. */
const OPTIONS = { finishFlush: constants.Z_SYNC_FLUSH };

type Unpack = typeof createGunzip | typeof createInflate;

/** The decoders to try for a content coding (RFC 9110 section 8.4.1); gzip is also detected by its magic bytes. */
function unpackersOf(bytes: Buffer, packing: string | null | undefined): Unpack[] {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return [createGunzip];
  return packing === 'deflate' ? [createInflate, createInflateRaw] : [];
}

/** Unpacks bytes, including further gzip members, up to the limit or the first damaged byte. */
async function read(bytes: Buffer, unpack: Unpack): Promise<{ readonly bytes: Buffer; readonly isCut: boolean }> {
  const stream = unpack(OPTIONS);
  const chunks: Buffer[] = [];
  let size = 0;
  stream.end(bytes);
  try {
    for await (const chunk of stream) {
      chunks.push(chunk);
      size += chunk.length;
      // Leaving the loop ends the stream.
      if (size > MAX_UNPACKED_BYTES) break;
    }
  } catch (error) {
    if (!isZlibError(error)) throw error;
  }
  return { bytes: Buffer.concat(chunks).subarray(0, MAX_UNPACKED_BYTES), isCut: size > MAX_UNPACKED_BYTES };
}

/** Decodes bytes with the encoding they appear to use. Falls back to windows-1252, which accepts every byte. */
function decode(bytes: Uint8Array): string {
  const wide = decodeUtf32(bytes);
  if (wide !== undefined) return wide;
  try {
    return new TextDecoder(encodingOf(bytes), { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

function encodingOf([first, second]: Uint8Array): string {
  // A byte order mark, or ASCII at two bytes per character.
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return 'utf-16be';
  return 'utf-8';
}

/**
 * Decodes UTF-32, which TextDecoder does not support. Detects a byte order mark, or ASCII at four bytes per character.
 */
function decodeUtf32(bytes: Uint8Array): string | undefined {
  const [a, b, c, d] = bytes;
  const isLittle = c === 0 && d === 0 && (b === 0 || (a === 0xff && b === 0xfe));
  const isBig = a === 0 && b === 0 && (c === 0 || (c === 0xfe && d === 0xff));
  if (isLittle === isBig) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let text = '';
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    const code = view.getUint32(at, isLittle);
    text += code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
  }
  return text;
}
