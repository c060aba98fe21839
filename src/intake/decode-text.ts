/** Bytes to text: UTF-8, or the encoding that Content-Type declares when they are not that. Pure. */

/** The encodings other than UTF-8 that are read when they are declared: UTF-16, and those of one byte a character. */
const DECLARED = /^(?:utf-16[bl]e|windows-\d+|iso-8859-[\d-]+i?|koi8-[ru]|ibm866|macintosh|x-mac-cyrillic)$/;

/**
 * Decodes a body. JSON is UTF-8 (RFC 8259 section 8.1), so the bytes are read as that first: many clients declare an
 * encoding that they do not use. The declared one counts when the bytes are not UTF-8, and for UTF-16 also when they hold
 * a zero byte, which no JSON in UTF-8 does.
 *
 * @returns Undefined when the bytes are in neither.
 */
export function decodeText(bytes: Uint8Array, contentType: string | null): string | undefined {
  const declared = declaredEncoding(contentType);
  const isUtf16 = declared?.startsWith('utf-16') === true && bytes.includes(0);
  const text = isUtf16 ? undefined : decodeUtf8(bytes);
  if (text !== undefined || declared === undefined) return text;
  const decoder = decoderOf(declared === 'utf-16' ? byteOrderOf(bytes) : declared);
  return decoder && decodeStrictly(decoder, bytes);
}

/** The charset of a media type (RFC 9110 section 8.3.2). */
function declaredEncoding(contentType: string | null): string | undefined {
  return /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? '')?.[1]?.toLowerCase();
}

/** The decoder of an encoding that is read, by any of its labels (Encoding standard section 4.2). */
function decoderOf(label: string): TextDecoder | undefined {
  try {
    const decoder = strictDecoder(label);
    return DECLARED.test(decoder.encoding) ? decoder : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The byte order mark, or else the first character, which is ASCII in JSON, tells which byte comes first. */
function byteOrderOf([first]: Uint8Array): 'utf-16be' | 'utf-16le' {
  return first === 0xfe || first === 0 ? 'utf-16be' : 'utf-16le';
}

/** A decoder that drops a byte order mark (RFC 8259 section 8.1). */
function strictDecoder(label: string): TextDecoder {
  return new TextDecoder(label, { fatal: true, ignoreBOM: false });
}

const utf8 = strictDecoder('utf-8');

export function decodeUtf8(bytes: Uint8Array): string | undefined {
  return decodeStrictly(utf8, bytes);
}

/** Decodes with a {@link strictDecoder}; undefined when the bytes are something else. */
function decodeStrictly(decoder: TextDecoder, bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
