/** The elements of a JSON array as they are written: what is parsed and written again may have lost digits. Pure. */

/**
 * Splits a text that is one JSON array (RFC 8259) at its top level.
 *
 * @param text - Text that JSON.parse takes for an array.
 */
export function splitArray(text: string): string[] {
  const elements: string[] = [];
  let depth = 0;
  let start = 0;
  const endAt = (end: number) => {
    // What surrounds a value is white space of JSON, since the text is JSON.
    const element = text.slice(start, end).trim();
    if (element !== '') elements.push(element);
    start = end + 1;
  };
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charAt(at)) {
      case '"':
        at = endOfString(text, at);
        break;
      case '[':
      case '{':
        depth += 1;
        if (depth === 1) start = at + 1;
        break;
      case ']':
      case '}':
        depth -= 1;
        if (depth === 0) endAt(at);
        break;
      case ',':
        if (depth === 1) endAt(at);
    }
  }
  return elements;
}

/** The place of the quotation mark that ends a string. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charAt(at) !== '"') at += text.charAt(at) === '\\' ? 2 : 1;
  return at;
}
