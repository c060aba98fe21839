/** Requests that nobody would send on purpose, made from one that is good. */

import { gzipSync } from 'node:zlib';
import { FULL_EVENT } from '../sample.ts';
import type { Random } from './random.ts';

/** Stands in every value that is sent. An answer or a log line that holds it holds a value. */
export const CANARY = 'c4n4ry';

const ENDPOINT = '/api/1.1/wf/reservation';
const FIELDS = Object.keys(FULL_EVENT) as [string, ...string[]];

/** Values as JSON text that a parser, a column or a reader may stumble over. */
const HOSTILE = [
  'null',
  'true',
  '""',
  '"  "',
  '[]',
  '{}',
  '-0',
  '1e999',
  '123456789012345678901234567890',
  '0.1e-7',
  '"\\ud800"',
  '"\\u0000"',
  '"\\u2028\\u2029\\u0085"',
  '"2026-02-30T25:61:61Z"',
  '"0000-00-00T00:00:00Z"',
  `"${'9'.repeat(400)}"`,
  `"${'\\\\"'.repeat(200)}"`,
  `"${CANARY.repeat(2_000)}"`,
  `${'['.repeat(90)}${']'.repeat(90)}`,
  `${'{"a":'.repeat(70)}1${'}'.repeat(70)}`,
  `{"__proto__":{"${CANARY}":1}}`,
] as const;

/** Names that mean something to a language rather than to the contract, and one that is no name of a field. */
const NAMES = [
  '__proto__',
  'constructor',
  'toString',
  'event_id',
  '',
  ' ',
  '\\u0000',
  '\\"',
  `${CANARY}!`,
  '🏨',
] as const;

const TYPES = [
  'application/json',
  'text/plain',
  `${CANARY}/${CANARY}`,
  ';;;',
  '',
  'application/json; charset=utf-16',
] as const;
const ENCODINGS = ['gzip', 'br', 'identity', 'deflate, gzip', CANARY, ''] as const;
const METHODS = ['PUT', 'PATCH', 'DELETE', 'PROPFIND'] as const;
const PATHS = [`${ENDPOINT}/`, `${ENDPOINT}//`, `/${CANARY}`, '/%00', '/api/1.1/wf/RESERVATION'] as const;

/** One good body, every value of which is unique to it. */
function goodBody(random: Random): Record<string, string> {
  const texts = Object.entries(FULL_EVENT).map(([name, value]) => {
    const free =
      typeof value === 'string' && /^(?:.*Name|.*Id|Email|Phone|StaffComment|MealPlan|LoyaltyCode)$/.test(name);
    return [name, JSON.stringify(free ? `${CANARY}-${name}-${random.int(0, 1_000_000)}` : value)];
  });
  return Object.fromEntries(texts);
}

/** Makes a request. The token is right in most cases, since a wrong one ends the matter early. */
export function mutate(random: Random, token: string): Request {
  const path = random.chance(95) ? ENDPOINT : random.pick(PATHS);
  const url = `https://intake.example${path}${random.chance(20) ? `?${CANARY}=${CANARY}` : ''}`;
  const headers = new Headers({
    [random.chance(80) ? 'Authentication' : 'Authorization']: authentication(random, token),
  });
  if (random.chance(60)) headers.set('Content-Type', random.pick(TYPES));
  if (random.chance(20)) headers.set('Idempotency-Key', random.pick([CANARY, 'k'.repeat(3_000), '"', ' ']));
  if (random.chance(10)) headers.set('Content-Length', random.pick(['0', '1', '99999999', '-1', CANARY]));
  let body: Uint8Array<ArrayBuffer> = damage(new TextEncoder().encode(text(random)), random);
  if (random.chance(15)) {
    const encoding = random.pick(ENCODINGS);
    headers.set('Content-Encoding', encoding);
    if (encoding === 'gzip' && random.chance(80)) body = damage(gzipSync(body), random);
  }
  return new Request(url, { method: random.chance(97) ? 'POST' : random.pick(METHODS), headers, body });
}

function authentication(random: Random, token: string): string {
  if (random.chance(85)) return `Bearer ${token}`;
  return random.pick([
    `bearer   "${token}"`,
    `Basic ${token}`,
    `Bearer ${CANARY}`,
    token,
    'Bearer',
    `Bearer ${token}, ${CANARY}`,
  ]);
}

/** A body as text, with some of its values exchanged, fields left out, added and repeated. */
function text(random: Random): string {
  const fields = goodBody(random);
  let changes = random.int(0, 4);
  for (; changes > 0; changes -= 1) {
    const name = random.pick(FIELDS);
    if (random.chance(25)) delete fields[name];
    else fields[name] = random.pick(HOSTILE);
  }
  const members = Object.entries(fields).map(([name, value]) => `"${name}":${value}`);
  if (random.chance(30)) members.push(`"${random.pick(NAMES)}":${random.pick(HOSTILE)}`);
  if (random.chance(10)) members.push(`"${random.pick(FIELDS)}":${random.pick(HOSTILE)}`);
  if (random.chance(2)) members.push(`"Long":"${CANARY.repeat(random.int(9_000, 13_000))}"`);
  const object = `{${members.join(random.pick([',', ', ', ',\n']))}}`;
  return random.chance(95)
    ? object
    : random.pick([`[${object}]`, JSON.stringify(object), `${object}${object}`, `\ufeff${object}`]);
}

/** Bytes with some of them changed, missing, repeated or made up: in three of ten cases. */
function damage(bytes: Uint8Array, random: Random): Uint8Array<ArrayBuffer> {
  if (random.chance(70)) return new Uint8Array(bytes);
  const at = random.int(0, bytes.length);
  const end = Math.min(at + random.int(1, 40), bytes.length);
  const [head, middle, tail] = [bytes.subarray(0, at), bytes.subarray(at, end), bytes.subarray(end)];
  const noise = Uint8Array.from({ length: random.int(1, 8) }, () => random.int(0, 255));
  return Buffer.concat(
    random.pick<Uint8Array[]>([
      [head],
      [head, tail],
      [head, middle, middle, tail],
      [head, noise, tail],
      [head, noise, middle, tail],
    ]),
  );
}
