/** Decodes bytes to text: as UTF-8, or else in the encoding that Content-Type declares. Pure. */

/** The supported encodings other than UTF-8, which have to be declared: UTF-16 and single-byte encodings. */
const DECLARED = /^(?:utf-16[bl]e|windows-\d+|iso-8859-[\d-]+i?|koi8-[ru]|ibm866|macintosh|x-mac-cyrillic)$/;

/**
 * Decodes a body. JSON is UTF-8 (RFC 8259 section 8.1), so that is tried first: many clients declare an encoding that
 * they do not use. The declared encoding is used when the bytes are not UTF-8, and UTF-16 also when they contain a zero
 * byte, which no JSON in UTF-8 does.
 *
 * @returns Undefined when the bytes are in neither encoding.
 */
export function decodeText(bytes: Uint8Array, contentType: string | null): string | undefined {
  const declared = declaredEncoding(contentType);
  const isUtf16 = declared?.startsWith('utf-16') === true && bytes.includes(0);
  const text = isUtf16 ? undefined : decodeUtf8(bytes);
  if (text !== undefined || declared === undefined) return text;
  const decoder = decoderOf(declared === 'utf-16' ? byteOrderOf(bytes) : declared);
  return decoder && decodeStrictly(decoder, bytes);
}

/** The charset parameter of a media type (RFC 9110 section 8.3.2), in lower case. */
function declaredEncoding(contentType: string | null): string | undefined {
  return /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? '')?.[1]?.toLowerCase();
}

/** The decoder of a supported encoding, by any of its labels (Encoding standard section 4.2). */
function decoderOf(label: string): TextDecoder | undefined {
  try {
    const decoder = strictDecoder(label);
    return DECLARED.test(decoder.encoding) ? decoder : undefined;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The byte order, according to the byte order mark, or else to the first character, which is ASCII in JSON. */
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

/** Decodes with a {@link strictDecoder}. Undefined when the bytes are not in its encoding. */
function decodeStrictly(decoder: TextDecoder, bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
