/** The text of a body that was kept: a refused one, or an unrecognised message. */

import { constants, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { isZlibError } from '../stored-lines.ts';

/** How a body is kept, in `rejected/` and `dead-letter/` alike. */
export interface KeptBody {
  readonly body: string;
  readonly body_encoding: string;
  /** How the sender had packed it; null or absent when it had not. */
  readonly content_encoding?: string | null | undefined;
}

export interface BodyText {
  readonly text: string;
  /** Whether more comes out of it than is unpacked. */
  readonly isCut: boolean;
}

/** More of a packed body is not unpacked, in bytes: no batch may have more. */
const MAX_UNPACKED_BYTES = 1024 * 1024;

/** Reads a body as text that people would recognise, unpacked as far as it can be. No body makes it throw. */
export async function textOfBody({ body, body_encoding: encoding, content_encoding }: KeptBody): Promise<BodyText> {
  if (encoding !== 'base64') return { text: body, isCut: false };
  // Characters that are not Base64 are skipped.
  const bytes = Buffer.from(body, 'base64');
  for (const unpack of unpackersOf(bytes, content_encoding)) {
    const unpacked = await read(bytes, unpack);
    if (unpacked.bytes.length > 0) return { text: decode(unpacked.bytes), isCut: unpacked.isCut };
  }
  return { text: decode(bytes), isCut: false };
}

/** The end of a body may be missing. */
const OPTIONS = { finishFlush: constants.Z_SYNC_FLUSH };

type Unpack = typeof createGunzip | typeof createInflate;

/** Ways to unpack (RFC 9110 section 8.4.1); gzip also where nobody has said so. */
function unpackersOf(bytes: Buffer, packing: string | null | undefined): Unpack[] {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return [createGunzip];
  return packing === 'deflate' ? [createInflate, createInflateRaw] : [];
}

/** What comes out of packed bytes, further members of gzip too, up to the limit or to where they are damaged. */
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

/** Bytes as text in the encoding that they seem to be in; no byte is refused. */
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
  // A byte order mark, or ASCII in two bytes a character.
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return 'utf-16be';
  return 'utf-8';
}

/** UTF-32, which TextDecoder does not know: ASCII, or a byte order mark, in four bytes. */
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
