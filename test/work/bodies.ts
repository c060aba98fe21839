/** Bodies as long as a sender may make them, put together of tokens that a seeded search can change. Pure. */

import type { Random } from '../faults/random.ts';
import { SMALL_EVENT } from '../sample.ts';
import type { PathName } from './paths.ts';

/** A body: what stands around, and the tokens that are repeated until it is full. `#` is a number that rises. */
export interface Recipe {
  readonly frame: keyof typeof FRAMES;
  readonly tokens: readonly string[];
}

const EVENT = JSON.stringify(SMALL_EVENT).slice(0, -1);

/** What stands before the tokens and behind them. */
const FRAMES = {
  raw: ['', ''],
  members: [EVENT, '}'],
  text: [`${EVENT},"StaffComment":"`, '"}'],
  list: [`${EVENT},"Probe":[`, '0]}'],
  time: [`${EVENT.replace('"StartUtc":', '"Probe":')},"StartUtc":"2026-05-01T13:00:00`, '"}'],
  object: ['{', '}'],
  array: ['[', '{}]'],
  envelope: ['{"idempotency_key":"k","event":{', '}}'],
} as const;

/** What means something to one of the readers of a body. */
const TOKENS = [
  ...['{', '}', '[', ']', ',', ':', '"', '\\', ' ', '\n', '\r', '\t', '-', '.', '#', '##', '~'],
  ...['0', '1e999', '0.1e-400', '123456789012345678901234567890', 'null', 'true', 'NaN', '//'],
  ...[
    ',"#":0',
    ',"\\ud80#":0',
    ',"\\ud~":0',
    ',"\\u0000#":0',
    ',"~email":"#"',
    ',"~PreferredLanguage":"en-#"',
    ',"a":0',
  ],
  ...[',"Birth_Date#":0', ',"~birthdate":"1987-#"', ',"~StartUtc":"2026-05-01T13:00:0#"', ',"~EventType":"#"'],
  ...[
    '{"a":1,"a":1}',
    '{}\n',
    '{"event":{}}\n',
    '{"a":[{}]}\n',
    '"event"',
    '"idempotency_key"',
    '[['.repeat(33),
    ']]'.repeat(33),
  ],
  ...[
    '\\"',
    '\\\\',
    '\\u0000',
    '\\ud800',
    '\u2028',
    'é',
    '🏨',
    '+00:00',
    '[a]',
    'en-',
    'abcdefgh-',
    '"StartUtc":',
    ',"Email":"',
    ...['a@', '.com ', '602 123 456 ', '\ufdfa', '\uff20', '%40', '&#64;', 'eyJhIjoi'],
    ',"FirstName#":"a"',
    ',"LastName#":"b"',
    ',"BirthDate#":"1987-11-02"',
  ],
] as const;

/** Where a search starts: what is known to have cost, or could. */
export const KNOWN: readonly Recipe[] = [
  { frame: 'members', tokens: [',"\\ud~":0'] },
  { frame: 'members', tokens: [',"~email":"#"'] },
  { frame: 'members', tokens: [',"~PreferredLanguage":"en-', 'abcdefgh-', '#"'] },
  { frame: 'members', tokens: [',"#":', '[['.repeat(33), ']]'.repeat(33)] },
  { frame: 'members', tokens: [',"#":1e999'] },
  { frame: 'members', tokens: [',"a":0'] },
  { frame: 'list', tokens: ['{"a":1,"a":1},'] },
  { frame: 'list', tokens: ['1e999,'] },
  { frame: 'text', tokens: ['\\":'] },
  { frame: 'time', tokens: ['.#', '0'] },
  { frame: 'time', tokens: ['[a]'] },
  { frame: 'raw', tokens: ['['] },
  { frame: 'raw', tokens: ['{"a":'] },
  { frame: 'raw', tokens: ['{}\n'] },
  { frame: 'raw', tokens: ['{"event":{},"a":#}\n'] },
  { frame: 'raw', tokens: ['{"EventType":"","StartUtc":0,"#":0}\n'] },
  { frame: 'raw', tokens: ['{"a":[{}],"b":"{","#":"{"}\n'] },
  { frame: 'envelope', tokens: ['} '] },
  { frame: 'array', tokens: ['0,'] },
  // By what a guest is found.
  { frame: 'text', tokens: ['a@'] },
  { frame: 'text', tokens: ['a#@example.com '] },
  { frame: 'text', tokens: ['1 '] },
  { frame: 'text', tokens: ['+420 602 12# '] },
  { frame: 'text', tokens: ['\ufdfa'] },
  { frame: 'text', tokens: ['\\\\\\\\u0040'] },
  { frame: 'text', tokens: ['%2540', '&#64;'] },
  { frame: 'text', tokens: ['eyJhIjoi', 'YWFhYWFhYWFh'] },
  { frame: 'list', tokens: ['{"FirstName":"a#","LastName":"b#","BirthDate":"1987-11-02"},'] },
  { frame: 'members', tokens: [',"FirstName#":"a#","LastName#":"b#","BirthDate#":"1987-11-02"'] },
  { frame: 'raw', tokens: ['a@'] },
  { frame: 'raw', tokens: ['Email=a%40b&'] },
];

/** What ordinary senders send: one event with many fields of its own, and many events. */
export const PLAIN = {
  intake: { frame: 'members', tokens: [',"field#":"v#"'] },
  batch: { frame: 'raw', tokens: [`${EVENT},"ReservationId":"r#","FirstName":"a","LastName":"b"}\n`] },
  publishing: { frame: 'members', tokens: [',"field#":"v#"'] },
  finding: { frame: 'members', tokens: [',"field#":"v#"'] },
} as const satisfies Readonly<Record<PathName, Recipe>>;

/** Changes one thing about a recipe. */
export function change({ frame, tokens }: Recipe, random: Random): Recipe {
  if (random.chance(15)) return { frame: random.pick(Object.keys(FRAMES) as ['raw']), tokens };
  const at = random.int(0, tokens.length);
  const put = random.pick([[random.pick(TOKENS)], [random.pick(TOKENS), random.pick(TOKENS)], []]);
  const changed = tokens.toSpliced(at, random.int(0, 1), ...put);
  return { frame, tokens: changed.length === 0 ? [random.pick(TOKENS)] : changed.slice(0, 12) };
}

/** Writes a body of so many bytes at most. */
export function write({ frame, tokens }: Recipe, maxBytes: number): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const [head, tail] = FRAMES[frame];
  const piece = tokens.join('');
  const parts: string[] = [head];
  let room = maxBytes - encoder.encode(head + tail).byteLength;
  let lines = 0;
  for (let number = 0; ; number += 1) {
    const part = spell(piece, number);
    room -= encoder.encode(part).byteLength;
    lines += part.split('\n').length - 1;
    // More events than a batch may hold are refused unread.
    if (room < 0 || lines > 1_000) break;
    parts.push(part);
  }
  return new Uint8Array(encoder.encode([...parts, tail].join('')));
}

/** Puts a number in, and spells the word behind a `~` in as many ways as there are numbers. */
function spell(piece: string, number: number): string {
  return piece
    .replace(/~([A-Za-z]*)/g, (_, word: string) => {
      if (word === '') return (0x800 + (number % 0x800)).toString(16) + 'x'.repeat(number >> 11);
      const letters = Array.from(word.toLowerCase(), (letter, at) =>
        (number >> at) & 1 ? letter.toUpperCase() : letter,
      );
      return letters.join('') + '_'.repeat(number >> word.length);
    })
    .replace(/#+/g, () => number.toString(36));
}
