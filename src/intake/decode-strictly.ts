/** Bytes to text, where a wrong byte is refused and not replaced. Pure. */

/** A decoder that drops a byte order mark (RFC 8259 section 8.1). */
export function strictDecoder(label: string): TextDecoder {
  return new TextDecoder(label, { fatal: true, ignoreBOM: false });
}

const utf8 = strictDecoder('utf-8');

/** Decodes UTF-8; undefined when the bytes are something else. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  return decodeStrictly(utf8, bytes);
}

/** Decodes with a {@link strictDecoder}; undefined when the bytes are something else. */
export function decodeStrictly(decoder: TextDecoder, bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
