import { describe, expect, test } from 'vitest';
import { classify } from '../../src/landing/classify.ts';
import { ndjson } from '../../src/storage/line.ts';

const NINE = '01a21ef9-f32d-7279-bda2-96945fb413af'; // 2026-11-27T21:47:06.925Z
const LATER = '01a21ef9-f32e-7279-bda2-96945fb413af'; // a millisecond later
const TEN = '01a21f10-0000-7279-bda2-96945fb413af'; // 2026-11-27T22:11:12.000Z
const event = (id: string) => ndjson({ event_id: id, sender: 'default' });
const rejection = (id: string) => ndjson({ rejection_id: id, sender: 'default' });

describe('classify()', () => {
  test.each([
    ['one event', event(NINE), 'landing', [event(NINE)]],
    ['several events', event(LATER) + event(NINE), 'landing', [event(LATER), event(NINE)]],
    ['one refused body', rejection(NINE), 'rejected', [rejection(NINE)]],
    ['several refused bodies', rejection(NINE) + rejection(NINE), 'rejected', [rejection(NINE), rejection(NINE)]],
  ])('finds %s', (_, message, prefix, lines) => {
    expect(classify(message)).toMatchObject({ prefix, lines });
  });

  test.each([
    ['events and refused bodies', event(NINE) + rejection(NINE)],
    ['something else behind an event', `${event(NINE)}{}\n`],
    ['an event whose line does not end', event(NINE) + event(NINE).trimEnd()],
    ['a blank line', `${event(NINE)}\n`],
    ['events of two hours', event(NINE) + event(TEN)],
    ['nothing', ''],
    ['a newline', '\n'],
    ['no text', { event_id: NINE }],
  ])('takes a message with %s for unrecognised', (_, message) => {
    expect(classify(message)).toBeUndefined();
  });
});
