/** The text of a body that was kept: a refused one, or a message that is no line of ours. */

/** How a body is kept, in `rejected/` and `dead-letter/` alike. */
export interface KeptBody {
  readonly body: string;
  readonly body_encoding: string;
  /** How the sender had packed it; null or absent when it had not. */
  readonly content_encoding?: string | null | undefined;
}

/** More of a packed body is not unpacked, in bytes: the endpoint takes less, so it is no event. */
const MAX_BYTES = 4 * 1024 * 1024;

type Format = 'gzip' | 'deflate';

/** The formats of DecompressionStream that a sender may name (RFC 9110 section 8.4.1). */
const FORMATS: Readonly<Record<string, 'gzip' | 'deflate'>> = {
  gzip: 'gzip',
  'x-gzip': 'gzip',
  deflate: 'deflate',
};

/** Reads a body as text that people would recognise, unpacked as far as it can be. */
export async function textOfBody({ body, body_encoding: encoding, content_encoding }: KeptBody): Promise<string> {
  if (encoding === 'devalue') return textOfDevalue(body);
  if (encoding !== 'base64') return body;
  const bytes = bytesOf(body);
  const format = isGzip(bytes) ? 'gzip' : FORMATS[content_encoding ?? ''];
  return textOfBytes(format === undefined ? bytes : await unpack(bytes, format));
}

/** Base64 as bytes, in Node.js too, which has no Uint8Array.fromBase64() yet. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
}

/** Bytes as text in the encoding that they seem to be in; no byte is refused. */
function textOfBytes(bytes: Uint8Array): string {
  try {
    return new TextDecoder(encodingOf(bytes), { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

function encodingOf(bytes: Uint8Array): string {
  const [first, second] = bytes;
  // A byte order mark, or ASCII in two bytes a character.
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return 'utf-16be';
  return 'utf-8';
}

function isGzip([first, second]: Uint8Array): boolean {
  return first === 0x1f && second === 0x8b;
}

/** What comes out of packed bytes, up to where they are damaged or cut off; the bytes themselves when nothing does. */
async function unpack(bytes: Uint8Array<ArrayBuffer>, format: Format): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream(format)).getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      chunks.push(next.value);
      size += next.value.length;
      if (size >= MAX_BYTES) {
        await reader.cancel();
        break;
      }
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  if (size === 0) return bytes;
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/**
 * What devalue wrote, as JSON without cycles: a list of all objects, with the texts and numbers in them. In its flat
 * form a member has the place of its value.
 */
function textOfDevalue(text: string): string {
  const flat: unknown = JSON.parse(text);
  if (!Array.isArray(flat)) return text;
  const valueAt = (place: unknown): unknown => {
    const value: unknown = typeof place === 'number' ? flat[place] : place;
    return typeof value === 'object' ? undefined : value;
  };
  const records = flat.map((entry: unknown): unknown => {
    if (!Array.isArray(entry)) {
      return typeof entry === 'object' && entry !== null
        ? Object.fromEntries(Object.entries(entry).map(([name, place]) => [name, valueAt(place)]))
        : entry;
    }
    const [type, ...places] = entry;
    if (type === 'ArrayBuffer' && typeof places[0] === 'string') return textOfBytes(bytesOf(places[0]));
    if (type !== 'Map') return entry.map(valueAt);
    const pairs = Array.from({ length: places.length / 2 }, (_, at) => places.slice(2 * at, 2 * at + 2).map(valueAt));
    return Object.fromEntries(pairs.map(([name, value]) => [String(name), value]));
  });
  return JSON.stringify(records);
}
