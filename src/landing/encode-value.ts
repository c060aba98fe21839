/**
 * Any value that a queue can deliver, as text. Content type `json` delivers JSON however deep, `v8` what the structured
 * clone algorithm copies, cycles included, and some objects of the platform: Blob, Headers, Request, DOMException.
 */

import { stringify, stringifyAsync } from 'devalue';
import type { DeadLetter } from '../storage/dead-letter.ts';

type Encoded = Pick<DeadLetter, 'body_encoding' | 'body'>;

/** As JSON where JSON says everything, else as devalue writes it. */
export async function encodeValue(value: unknown): Promise<Encoded> {
  try {
    const body = await stringifyAsync(value, REDUCERS);
    return jsonOf(value, body) ?? { body_encoding: 'devalue', body };
  } catch (error) {
    // Too deep for the stack.
    if (!(error instanceof RangeError)) throw error;
    return { body_encoding: 'json', body: deepJson(value) };
  }
}

/** The JSON of a value, unless something is lost with it. */
function jsonOf(value: unknown, whole: string): Encoded | undefined {
  try {
    const body = JSON.stringify(value);
    return stringify(JSON.parse(body), REDUCERS) === whole ? { body_encoding: 'json', body } : undefined;
  } catch {
    // A BigInt or a cycle, for example, has no JSON.
    return undefined;
  }
}

/** What devalue does not write by itself, and what stands for it. */
const REDUCERS = {
  Error: (value: unknown) =>
    value instanceof Error && { is: value.name, ...Object.fromEntries(propertiesOf(value)), message: value.message },
  Properties: (value: unknown) => hasOddNames(value) && { array: Array.isArray(value), of: propertiesOf(value) },
  Platform: (value: unknown) => isOfPlatform(value) && readPlatformObject(value),
};

/** The properties of an object itself, those that are not enumerable too. */
function propertiesOf(value: object): [string, unknown][] {
  return Object.entries(Object.getOwnPropertyDescriptors(value)).map(([name, { value: of }]) => [name, of]);
}

/** Names that an object or array literal cannot have. */
function hasOddNames(value: unknown): value is object {
  if (Array.isArray(value)) return Object.keys(value).some((name) => !/^\d+$/.test(name));
  return isPlain(value) && Object.hasOwn(value, '__proto__');
}

function isPlain(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** Objects of the language have these tags, and devalue writes them; a Promise is what a reducer has returned. */
const LANGUAGE =
  /^\[object (?:Object|Array|Map|Set|Date|RegExp|Number|String|Boolean|BigInt|\w*Array|ArrayBuffer|DataView|Promise)\]$/;

interface PlatformObject {
  arrayBuffer?(): Promise<ArrayBuffer>;
  entries?(): Iterable<unknown>;
}

function isOfPlatform(value: unknown): value is PlatformObject {
  return typeof value === 'object' && value !== null && !LANGUAGE.test(Object.prototype.toString.call(value));
}

/** What an object of the platform says of itself: plain values, entries (Headers) and bytes (Blob, Request). */
async function readPlatformObject(object: PlatformObject): Promise<object> {
  const says: [string, unknown][] = [];
  for (let from = object; from !== null && from !== Object.prototype; from = Object.getPrototypeOf(from)) {
    for (const name of Object.getOwnPropertyNames(from)) {
      const value: unknown = Reflect.get(object, name);
      if (['string', 'number', 'boolean'].includes(typeof value)) says.push([name, value]);
      else if (value instanceof Headers) says.push([name, [...value]]);
    }
  }
  return {
    is: Object.prototype.toString.call(object).slice('[object '.length, -1),
    ...Object.fromEntries(says),
    ...(object.entries && { entries: [...object.entries()] }),
    ...(object.arrayBuffer && { bytes: await object.arrayBuffer() }),
  };
}

/** JSON without recursion, which is how deep JSON is read, too. */
function deepJson(value: unknown): string {
  const text: string[] = [];
  const rest: { readonly text?: string; readonly value?: unknown }[] = [{ value }];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (next.text !== undefined) text.push(next.text);
    else if (Array.isArray(next.value))
      nest(
        '[',
        ']',
        next.value.map((item) => ['', item]),
      );
    else if (isPlain(next.value)) {
      nest(
        '{',
        '}',
        Object.entries(next.value).map(([name, item]) => [`${JSON.stringify(name)}:`, item]),
      );
    } else if (next.value === null || ['string', 'number', 'boolean'].includes(typeof next.value)) {
      text.push(JSON.stringify(next.value));
    } else throw new RangeError('Cannot encode a value that is no JSON and deeper than the stack');
  }
  return text.join('');

  function nest(open: string, close: string, items: readonly (readonly [string, unknown])[]): void {
    rest.push({ text: close });
    for (const [at, [name, item]] of [...items.entries()].reverse()) {
      rest.push({ value: item }, { text: `${at === 0 ? '' : ','}${name}` });
    }
    rest.push({ text: open });
  }
}
