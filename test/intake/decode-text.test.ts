import { describe, expect, test } from 'vitest';
import { decodeText } from '../../src/intake/decode-text.ts';

const TEXT = '{"LastName":"Müller"}';
const utf8 = new TextEncoder().encode(TEXT);
const latin1 = Uint8Array.from(TEXT, (char) => char.charCodeAt(0));
const utf16le = new Uint8Array(Uint16Array.from(TEXT, (char) => char.charCodeAt(0)).buffer);
const utf16be = utf16le.map((_, at) => utf16le[at ^ 1] ?? 0);
const withMark = (mark: readonly number[], bytes: Uint8Array) => new Uint8Array([...mark, ...bytes]);

describe('decodeText()', () => {
  test.each([
    ['UTF-8', utf8, 'application/json'],
    ['UTF-8 without a media type', utf8, null],
    ['UTF-8 that is declared as something else', utf8, 'application/json; charset=ISO-8859-1'],
    ['UTF-8 that is declared as UTF-16', utf8, 'application/json; charset=utf-16'],
    ['UTF-8 with a byte order mark', withMark([0xef, 0xbb, 0xbf], utf8), null],
    ['Latin-1', latin1, 'application/json; charset=ISO-8859-1'],
    ['Latin-1 in quotes', latin1, 'application/json; profile=x; Charset="latin1"'],
    ['Windows-1252', latin1, 'text/json;charset=windows-1252'],
    ['a label of Windows-1252', latin1, 'application/json; charset=cp1252'],
    ['UTF-16LE', utf16le, 'application/json; charset=utf-16le'],
    ['UTF-16BE', utf16be, 'application/json; charset=UTF-16BE'],
    ['UTF-16 with the mark of LE', withMark([0xff, 0xfe], utf16le), 'application/json; charset=utf-16'],
    ['UTF-16 with the mark of BE', withMark([0xfe, 0xff], utf16be), 'application/json; charset=utf-16'],
    ['UTF-16 without a mark, BE', utf16be, 'application/json; charset=utf-16'],
    ['UTF-16 without a mark, LE', utf16le, 'application/json; charset=utf-16'],
  ])('reads %s', (_, bytes, contentType) => {
    expect(decodeText(bytes, contentType)).toBe(TEXT);
  });

  test.each([
    ['windows-1250', [0xf8, 0x9e], 'řž'],
    ['CP1250', [0xf8, 0x9e], 'řž'],
    ['iso-8859-2', [0xb1, 0xbe], 'ąž'],
    ['windows-1251', [0xcf, 0xff], 'Пя'],
    ['koi8-r', [0xf0, 0xa3], 'Пё'],
    ['windows-1253', [0xe1, 0xfe], 'αώ'],
    ['windows-1254', [0xfe, 0xf0], 'şğ'],
    ['ibm866', [0x8f, 0xf1], 'Пё'],
    ['macintosh', [0x8a, 0xa7], 'äß'],
  ])('reads %s when it is declared', (charset, bytes, text) => {
    expect(decodeText(new Uint8Array([0x22, ...bytes, 0x22]), `application/json; charset=${charset}`)).toBe(
      `"${text}"`,
    );
  });

  test.each([
    ['Latin-1 that is not declared', latin1, 'application/json'],
    ['Latin-1 that is declared as UTF-8', latin1, 'application/json; charset=utf-8'],
    ['UTF-16 that is not declared', withMark([0xff, 0xfe], utf16le), 'application/json'],
    ['an encoding of several bytes a character', latin1, 'application/json; charset=shift_jis'],
    ['an encoding that nobody knows', latin1, 'application/json; charset=latin-99'],
    ['a byte that the encoding does not have', new Uint8Array([0x22, 0xd2, 0x22]), 'text/json; charset=windows-1253'],
    ['half a character of UTF-16', withMark([0xff, 0xfe], utf16le.slice(0, -1)), 'application/json; charset=utf-16'],
  ])('does not read %s', (_, bytes, contentType) => {
    expect(decodeText(bytes, contentType)).toBeUndefined();
  });
});
