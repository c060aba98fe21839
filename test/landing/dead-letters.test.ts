/** Whatever a queue delivers becomes a dead letter that can be read again, and never holds up its neighbours. */

import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { parse } from 'devalue';
import * as v from 'valibot';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { writeDeadLetters } from '../../src/landing/dead-letters.ts';
import { type DeadLetter, DeadLetterSchema } from '../../src/storage/dead-letter.ts';

afterEach(async () => {
  vi.restoreAllMocks();
  await reset();
});

const cycle: { name: string; self?: unknown } = { name: 'a' };
cycle.self = [cycle];

/** Values that content type v8 delivers, besides those of JSON. */
const VALUES: Readonly<Record<string, unknown>> = {
  'a BigInt': 2n ** 70n,
  'a cycle': cycle,
  'a Map': new Map<unknown, unknown>([[{ a: 1 }, new Set([1, 'b'])]]),
  'a Set': new Set([new Date(0), undefined, Number.NaN, -0, Number.POSITIVE_INFINITY]),
  'an invalid Date': new Date(Number.NaN),
  'a RegExp': /x\/y/giu,
  'a DataView': new DataView(new Uint8Array([1, 2, 3, 4]).buffer, 1, 2),
  'a typed array': new Float32Array([1.5, -2]),
  'a BigUint64Array': new BigUint64Array([2n ** 63n]),
  'nested bytes': { bytes: new Uint8Array([0, 255]), of: [new ArrayBuffer(2)] },
  'nested undefined': { a: undefined, b: [undefined] },
  'a sparse array': Object.assign([1], { 5: 2 }),
  'a name of the language': { list: new Map([['constructor', { toString: 1 }]]) },
  'one object twice': [cycle, cycle],
};

/** Values of which devalue needs to be told, and what is read in their place. */
const REPLACED: Readonly<Record<string, readonly [unknown, unknown]>> = {
  'an Error': [
    Object.assign(new TypeError('no', { cause: new RangeError('why') }), { code: 7 }),
    { is: 'TypeError', message: 'no', code: 7, cause: { is: 'RangeError', message: 'why' } },
  ],
  'an AggregateError': [new AggregateError([new Error('one')], 'all'), { errors: [{ message: 'one' }] }],
  'a DOMException': [new DOMException('no', 'AbortError'), { message: 'no' }],
  'an array with names': [
    Object.assign([1], { name: 'a' }),
    {
      array: true,
      of: [
        ['0', 1],
        ['length', 1],
        ['name', 'a'],
      ],
    },
  ],
  'a Blob': [
    new Blob(['ab'], { type: 'text/x' }),
    { is: 'Blob', type: 'text/x', size: 2, bytes: new Uint8Array([97, 98]).buffer },
  ],
  Headers: [new Headers({ a: 'b' }), { is: 'Headers', entries: [['a', 'b']] }],
  'a Request': [
    new Request('https://a.example/', { method: 'POST', body: 'ab', headers: { c: 'd' } }),
    { is: 'Request', method: 'POST', url: 'https://a.example/', bytes: new Uint8Array([97, 98]).buffer },
  ],
};

const REVIVERS = Object.fromEntries(
  ['Error', 'Properties', 'Platform'].map((name) => [name, (value: unknown) => value]),
);

/** Writes a value as a dead letter, beside a neighbour, and reads it again. */
async function written(body: unknown): Promise<DeadLetter> {
  const acknowledged: string[] = [];
  const deliveries = [body, 'neighbour'].map((value, at) => ({
    id: `m${at}`,
    timestamp: new Date('2026-11-27T23:00:00Z'),
    attempts: 1,
    body: value,
    ack: () => acknowledged.push(`m${at}`),
    retry: () => {},
  }));
  await writeDeadLetters('a-queue', 'queue', deliveries, env.BUCKET);
  expect(acknowledged).toEqual(['m0', 'm1']);
  const { objects } = await env.BUCKET.list({ prefix: 'dead-letter/dt=2026-11-27/hour=23/' });
  const text = (await (await env.BUCKET.get(objects[0]?.key ?? ''))?.text()) ?? '';
  const [letter, neighbour] = text
    .trimEnd()
    .split('\n')
    .map((line) => v.parse(DeadLetterSchema, JSON.parse(line)));
  expect(neighbour).toMatchObject({ body: 'neighbour', body_encoding: 'text' });
  if (letter === undefined) throw new Error('No dead letter was written');
  return letter;
}

describe('writeDeadLetters()', () => {
  test.each([
    ['a text', 'poison', 'text', 'poison'],
    ['bytes', new Uint8Array([0, 255]), 'base64', 'AP8='],
    ['a buffer', new Uint8Array([0, 255]).buffer, 'base64', 'AP8='],
    ['an object', { b: [1, null, 'c'] }, 'json', '{"b":[1,null,"c"]}'],
    ['null', null, 'json', 'null'],
    ['a text with half a character', 'cut \ud83d', 'json', '"cut \\ud83d"'],
    ['a text with U+0000', 'a\0b', 'json', '"a\\u0000b"'],
    ['a name that sets prototypes', JSON.parse('{"__proto__":{"a":1}}'), 'json', '{"__proto__":{"a":1}}'],
  ])('keeps %s', async (_, value, body_encoding, body) => {
    expect(await written(value)).toMatchObject({ body_encoding, body, reason: 'not_a_line' });
  });

  test.each(Object.entries(VALUES))('keeps %s, which JSON cannot write', async (_, value) => {
    const { body, body_encoding: encoding } = await written(value);
    expect(encoding).toBe('devalue');
    expect(parse(body)).toEqual(value);
  });

  test.each(Object.entries(REPLACED))('keeps %s', async (_, [value, read]) => {
    const { body, body_encoding: encoding } = await written(value);
    expect(encoding).toBe('devalue');
    expect(parse(body, REVIVERS)).toMatchObject(read as object);
  });

  test('keeps JSON that is deeper than the stack', async () => {
    const deep = `${'[{"a":'.repeat(15_000)}1${'}]'.repeat(15_000)}`;
    expect(await written(JSON.parse(deep))).toMatchObject({ body_encoding: 'json', body: deep });
  });

  test('says of what it cannot read no more than the type, and says that something is missing', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
    const unreadable = {
      get [Symbol.toStringTag]() {
        return 'Odd';
      },
      get a(): never {
        throw new Error('unreadable');
      },
    };
    expect(await written(unreadable)).toMatchObject({ body_encoding: 'description', body: '[object Odd]' });
    expect(logged).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ event: 'dead_letter_incomplete' }));
  });
});
