/** Whatever a queue can deliver, as text: content type `json` delivers JSON however deep, `v8` objects of all kinds. */

import type { DeadLetter } from '../storage/dead-letter.ts';

type Encoded = Pick<DeadLetter, 'body_encoding' | 'body'>;

/** The text as it is, the JSON of a value that JSON can say, the bytes of what has some, and else what kind of value it is. */
export async function encodeBody(body: unknown): Promise<Encoded> {
  // A text that a line cannot carry unchanged keeps its escapes one level down, as JSON.
  if (typeof body === 'string' && body.isWellFormed() && !body.includes('\0')) return { body_encoding: 'text', body };
  const json = jsonOf(body);
  if (json !== undefined) return { body_encoding: 'json', body: json };
  const bytes = await bytesOf(body);
  if (bytes !== undefined) return { body_encoding: 'base64', body: bytes.toBase64() };
  const tag = Object.prototype.toString.call(body);
  return { body_encoding: 'description', body: typeof body === 'object' ? tag : `${tag} ${String(body)}` };
}

/** The bytes of a buffer or a view, and of a Blob or a Request. */
async function bytesOf(value: unknown): Promise<Uint8Array | undefined> {
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof Blob || value instanceof Request) return new Uint8Array(await value.arrayBuffer());
  return undefined;
}

/**
 * The JSON of a value, without recursion, which is how deep JSON is read, too. Undefined when JSON does not say all of it:
 * an object that occurs twice would be written twice, and a cycle for ever.
 */
function jsonOf(value: unknown): string | undefined {
  const seen = new Set<object>();
  const text: string[] = [];
  const rest: ({ readonly text: string } | { readonly value: unknown })[] = [{ value }];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if ('text' in next) {
      text.push(next.text);
      continue;
    }
    const { value: item } = next;
    if (typeof item !== 'object' || item === null) {
      if (!isScalar(item)) return undefined;
      // JSON has a minus zero, which JSON.stringify writes as 0.
      text.push(Object.is(item, -0) ? '-0' : JSON.stringify(item));
      continue;
    }
    const members = membersOf(item);
    if (members === undefined || seen.has(item)) return undefined;
    seen.add(item);
    const [open, close] = Array.isArray(item) ? '[]' : '{}';
    rest.push({ text: close ?? '' });
    for (const [at, [name, member]] of [...members.entries()].reverse()) {
      rest.push({ value: member }, { text: `${at === 0 ? '' : ','}${name}` });
    }
    rest.push({ text: open ?? '' });
  }
  return text.join('');
}

function isScalar(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return value === null || typeof value === 'string' || typeof value === 'boolean';
}

/** What an array or an object of JSON holds, each with the text before it; undefined when it is something else. */
function membersOf(value: object): (readonly [before: string, value: unknown])[] | undefined {
  const own = Object.entries(Object.getOwnPropertyDescriptors(value));
  if (Object.getOwnPropertySymbols(value).length > 0 || own.some(([, { get }]) => get !== undefined)) return undefined;
  if (Array.isArray(value)) {
    // Its length is one more property of its own.
    return own.length === value.length + 1 && Object.keys(value).every((name) => /^\d+$/.test(name))
      ? value.map((member) => ['', member])
      : undefined;
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return undefined;
  return own.map(([name, { value: member }]) => [`${JSON.stringify(name)}:`, member]);
}
