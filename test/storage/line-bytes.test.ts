import { describe, expect, test } from 'vitest';
import {
  formatEventId,
  isBefore,
  linesOfBlock,
  millisecondsOf,
  newEventIdWords,
  readEventId,
  readSchemaVersion,
  wholeLines,
} from '../../src/storage/line-bytes.ts';

const EVENT_ID = '019f4c1e-7a52-7cc1-8f5b-2f6f3c0b9d1e';
const LINE = `{"event_id":"${EVENT_ID}","note":"ü"}\n`;

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (block: Uint8Array) => new TextDecoder().decode(block);

describe('readEventId()', () => {
  test('reads the event_id and the time in it', () => {
    const id = newEventIdWords();
    expect(readEventId(bytes(LINE), id)).toBe(true);
    expect(formatEventId(id)).toBe(EVENT_ID);
    expect(millisecondsOf(id)).toBe(0x019f4c1e7a52);
  });

  test.each([
    ['no JSON', 'hello\n'],
    ['another first column', `{"a":1,"event_id":"${EVENT_ID}"}\n`],
    ['another version of UUID', LINE.replace('-7cc1', '-4cc1')],
    ['another variant of UUID', LINE.replace('-8f5b', '-cf5b')],
    ['upper case', LINE.replace('7cc1', '7CC1')],
    ['nothing but the event_id', `{"event_id":"${EVENT_ID}"}\n`],
    ['no end of line', LINE.trimEnd()],
    ['no end of object', LINE.replace('}', '')],
    ['a byte order mark', `\ufeff${LINE}`],
    ['nothing', ''],
  ])('refuses %s', (_, line) => {
    expect(readEventId(bytes(line), newEventIdWords())).toBe(false);
  });
});

test.each([8, 13, 18, 23])('readEventId() misses the hyphen at %i', (at) => {
  const id = `${EVENT_ID.slice(0, at)}0${EVENT_ID.slice(at + 1)}`;
  expect(readEventId(bytes(LINE.replace(EVENT_ID, id)), newEventIdWords())).toBe(false);
});

describe('readSchemaVersion()', () => {
  test.each<[string, number | undefined]>([
    ['{"event_id":"x","schema_version":1,"extra":null}', 1],
    ['{"event_id":"x","schema_version":12}', 12],
    ['{"event_id":"x","sender":"a,b","occurred_at":null,"schema_version":2,"extra":null}', 2],
    [JSON.stringify({ event_id: 'x', sender: 'a,"schema_version":7,', schema_version: 1 }), 1],
    [JSON.stringify({ event_id: 'x', extra: '{"a":1,"schema_version":7}' }), undefined],
    ['{"event_id":"x"}', undefined],
  ])('of %s is %s', (line, expected) => {
    expect(readSchemaVersion(bytes(line))).toBe(expected);
  });
});

describe('isBefore()', () => {
  test.each([
    [EVENT_ID, EVENT_ID, false],
    [EVENT_ID, EVENT_ID.replace('9d1e', '9d1f'), true],
    [EVENT_ID.replace('019f', 'f19f'), EVENT_ID, false],
  ])('%s, %s: %s', (left, right, expected) => {
    const [a, b] = [newEventIdWords(), newEventIdWords()];
    readEventId(bytes(LINE.replace(EVENT_ID, left)), a);
    readEventId(bytes(LINE.replace(EVENT_ID, right)), b);
    expect(isBefore(a, b)).toBe(expected);
  });
});

describe('linesOfBlock()', () => {
  test.each([
    ['', []],
    ['a\n', ['a\n']],
    ['a\n\nb', ['a\n', '\n', 'b']],
  ])('cuts %j', (block, lines) => {
    expect([...linesOfBlock(bytes(block))].map(text)).toEqual(lines);
  });
});

describe('wholeLines()', () => {
  test.each([1, 2, 3, 7, 100])('gives whole lines from chunks of %i bytes', async (size) => {
    const all = bytes('first\nsecond ü\n\nlast');
    const chunks = Array.from({ length: Math.ceil(all.length / size) }, (_, at) =>
      all.slice(at * size, (at + 1) * size),
    );
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk);
        controller.close();
      },
    });
    const lines: string[] = [];
    for await (const block of wholeLines(stream)) lines.push(...[...linesOfBlock(block)].map(text));
    expect(lines).toEqual(['first\n', 'second ü\n', '\n', 'last']);
  });
});
