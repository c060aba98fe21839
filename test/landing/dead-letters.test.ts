/** Whatever a queue delivers becomes a dead letter that can be read again, and never holds up its neighbours. */

import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import * as v from 'valibot';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { writeDeadLetters } from '../../src/landing/dead-letters.ts';
import { type DeadLetter, DeadLetterSchema } from '../../src/storage/dead-letter.ts';
import { deliveryOf } from './delivery.ts';

afterEach(async () => {
  vi.restoreAllMocks();
  await reset();
});

const cycle: { name: string; self?: unknown } = { name: 'a' };
cycle.self = [cycle];
const shared = { a: 1 };

const UNREADABLE = {
  get [Symbol.toStringTag]() {
    return 'Odd';
  },
  get a(): never {
    throw new Error('unreadable');
  },
};
/** JSON that is deeper than the stack. */
const DEEP = `${'[{"a":'.repeat(15_000)}1${'}]'.repeat(15_000)}`;

/** Values that JSON does not say and that are no bytes, and what is said of them. */
const VALUES: Readonly<Record<string, readonly [unknown, string]>> = {
  'a BigInt': [2n ** 70n, '[object BigInt] 1180591620717411303424'],
  undefined: [undefined, '[object Undefined] undefined'],
  'a number that is none': [Number.NaN, '[object Number] NaN'],
  'a cycle': [cycle, '[object Object]'],
  'one object twice': [[shared, shared], '[object Array]'],
  'a Map': [new Map([['a', 1]]), '[object Map]'],
  'a Date': [new Date(0), '[object Date]'],
  'nested bytes': [{ bytes: new Uint8Array(1) }, '[object Object]'],
  'nested undefined': [{ a: undefined }, '[object Object]'],
  'a sparse array': [Object.assign([1], { 5: 2 }), '[object Array]'],
  'an array with names': [Object.assign([1], { name: 'a' }), '[object Array]'],
  'an Error': [new TypeError('no'), '[object Error]'],
  Headers: [new Headers({ a: 'b' }), '[object Headers]'],
  'what has a getter that throws': [UNREADABLE, '[object Odd]'],
};

/** Writes a value as a dead letter, beside a neighbour, and reads it again. */
async function written(body: unknown): Promise<DeadLetter> {
  const told: unknown[] = [];
  const deliveries = [body, 'neighbour'].map((value) => deliveryOf(value, told));
  await writeDeadLetters('a-queue', 'queue', deliveries, env.BUCKET);
  expect(told).toEqual(['ack', 'ack']);
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
    ['a DataView', new DataView(new Uint8Array([1, 0, 255]).buffer, 1), 'base64', 'AP8='],
    ['a typed array', new Uint16Array([0xff00]), 'base64', 'AP8='],
    ['a Blob', new Blob([new Uint8Array([0, 255])]), 'base64', 'AP8='],
    [
      'a Request',
      new Request('https://a.example/', { method: 'POST', body: new Uint8Array([0, 255]) }),
      'base64',
      'AP8=',
    ],
    ['an object', { b: [1, null, 'c'] }, 'json', '{"b":[1,null,"c"]}'],
    ['null', null, 'json', 'null'],
    ['minus zero', JSON.parse('{"a":[-0]}'), 'json', '{"a":[-0]}'],
    ['a text with half a character', 'cut \ud83d', 'json', '"cut \\ud83d"'],
    ['a text with U+0000', 'a\0b', 'json', '"a\\u0000b"'],
    ['a name that sets prototypes', JSON.parse('{"__proto__":{"a":1}}'), 'json', '{"__proto__":{"a":1}}'],
    ['JSON that is deeper than the stack', JSON.parse(DEEP), 'json', DEEP],
  ])('keeps %s', async (_, value, body_encoding, body) => {
    expect(await written(value)).toMatchObject({ body_encoding, body });
  });

  test.each(Object.entries(VALUES))(
    'says what kind of value it is of %s, and that something is missing',
    async (_, [value, body]) => {
      const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
      expect(await written(value)).toMatchObject({ body_encoding: 'description', body });
      expect(logged).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ event: 'dead_letter_incomplete' }));
    },
  );
});
