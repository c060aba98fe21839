import { describe, expect, test } from 'vitest';
import { readPayload } from '../../src/intake/read-payload.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);

async function read(bytes: Uint8Array, contentType: string | null = 'application/json') {
  const result = await readPayload(bytes, () => contentType);
  return result.ok ? result.value.members : result.error.reason;
}

describe('readPayload()', () => {
  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'text/json',
    'application/x-www-form-urlencoded',
    'nonsense',
    '',
    null,
  ])('takes JSON under Content-Type %j', async (contentType) => {
    expect(await read(utf8('{"a":"é"}'), contentType)).toEqual({ a: 'é' });
  });

  test('drops a byte order mark', async () => {
    expect(await read(new Uint8Array([0xef, 0xbb, 0xbf, ...utf8('{}')]))).toEqual({});
  });

  test.each([
    ['a lone continuation byte', [0x80]],
    ['Latin-1', [0x7b, 0x22, 0xe9, 0x22, 0x7d]],
    ['an encoded surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['an overlong slash', [0xc0, 0xaf]],
  ])('refuses %s', async (_, bytes) => {
    expect(await read(new Uint8Array(bytes))).toBe('not_utf8');
  });

  test.each([
    ['a mark, low byte first', [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
    ['a mark, high byte first', [0xfe, 0xff, 0x00, 0x7b, 0x00, 0x7d]],
    ['no mark, low byte first', [0x7b, 0x00, 0x7d, 0x00]],
    ['no mark, high byte first', [0x00, 0x7b, 0x00, 0x7d]],
  ])('tells UTF-16 that is not declared, with %s', async (_, bytes) => {
    expect(await read(new Uint8Array(bytes))).toBe('undeclared_utf16');
  });

  test('tells gzip that is not declared', async () => {
    expect(await read(new Uint8Array([0x1f, 0x8b, 0x08, 0x00]))).toBe('undeclared_gzip');
    expect(await read(new Uint8Array([0x1f, 0x20]))).not.toBe('undeclared_gzip');
  });

  test.each([
    ['a=1', 'application/x-www-form-urlencoded', 'not_json_media_type'],
    ['<a/>', 'text/xml; charset=utf-8', 'not_json_media_type'],
    ['{', 'text/plain', 'not_json_media_type'],
    ['{', 'application/problem+json', 'malformed'],
    ['{', 'Application/JSON', 'malformed'],
    ['{', null, 'malformed'],
    ['{', 'json', 'malformed'],
    ['', 'application/x-www-form-urlencoded', 'empty'],
    ['[]', 'text/plain', 'not_an_object'],
  ])('calls %j under %j %s', async (text, contentType, reason) => {
    expect(await read(utf8(text), contentType)).toBe(reason);
  });
});
