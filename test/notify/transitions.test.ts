import { describe, expect, test } from 'vitest';
import { type Alarms, step } from '../../src/notify/transitions.ts';

const START = Date.parse('2026-07-10T12:00:00.000Z');
const MINUTE = 60_000;
const DAY = 1_440;

/** Goes through checks: minute, finding (undefined: not known), and whether the webhook takes a message. */
function messagesOf(checks: readonly (readonly [number, string | null | undefined, boolean?])[]): string[][] {
  let alarms: Alarms = {};
  return checks.map(([minute, finding, confirmed = true]) => {
    const conditions = new Map(finding === undefined ? [] : [['queue', finding]]);
    const { messages, posted, unposted } = step(alarms, conditions, new Date(START + minute * MINUTE));
    alarms = confirmed ? posted : unposted;
    return [...messages];
  });
}

const RAISED = ['RAISED queue: down'];

describe('step()', () => {
  test.each<[string, Parameters<typeof messagesOf>[0], string[][]]>([
    [
      'says nothing while all is well',
      [
        [0, null],
        [1, null],
      ],
      [[], []],
    ],
    [
      'raises an alarm at the second check',
      [
        [0, 'down'],
        [1, 'down'],
        [2, 'down'],
      ],
      [[], RAISED, []],
    ],
    [
      'lets one bad check pass',
      [
        [0, 'down'],
        [1, null],
        [2, 'down'],
        [3, null],
      ],
      [[], [], [], []],
    ],
    [
      'clears an alarm at the second check',
      [
        [0, 'down'],
        [1, 'down'],
        [2, null],
        [3, null],
        [4, null],
      ],
      [[], RAISED, [], ['CLEARED queue, after 3 minutes'], []],
    ],
    [
      'lets one good check pass',
      [
        [0, 'down'],
        [1, 'down'],
        [2, null],
        [3, 'down'],
      ],
      [[], RAISED, [], []],
    ],
    [
      'repeats an alarm every day, with what is wrong now',
      [
        [0, 'down'],
        [1, 'down'],
        [DAY, 'slow'],
        [DAY + 1, 'slow'],
        [DAY + 2, 'slow'],
        [2 * DAY + 1, 'slow'],
      ],
      [[], RAISED, [], ['STILL RAISED queue, for 24 hours: slow'], [], ['STILL RAISED queue, for 48 hours: slow']],
    ],
    [
      'keeps an alarm of which nothing is known',
      [
        [0, 'down'],
        [1, 'down'],
        [2, undefined],
        [3, 'down'],
      ],
      [[], RAISED, [], []],
    ],
    [
      'tells again what the webhook has not confirmed',
      [
        [0, 'down'],
        [1, 'down', false],
        [2, 'down', false],
        [3, 'down'],
        [4, 'down'],
      ],
      [[], RAISED, RAISED, RAISED, []],
    ],
    [
      'forgets what was never posted and is over',
      [
        [0, 'down'],
        [1, 'down', false],
        [2, null],
        [3, null],
      ],
      [[], RAISED, [], []],
    ],
  ])('%s', (_, checks, expected) => {
    expect(messagesOf(checks)).toEqual(expected);
  });

  test('tells several alarms at once, and remembers nothing of those that are quiet', () => {
    const conditions = new Map<string, string | null>([
      ['queue', 'down'],
      ['bucket', 'slow'],
      ['secrets', null],
    ]);
    const first = step({}, conditions, new Date(START));
    expect(Object.keys(first.posted)).toEqual(['queue', 'bucket']);
    const second = step(first.posted, conditions, new Date(START + MINUTE));
    expect(second.messages).toEqual(['RAISED queue: down', 'RAISED bucket: slow']);
    const gone = new Map([...conditions.keys()].map((name) => [name, null] as const));
    const third = step(second.posted, gone, new Date(START + 2 * MINUTE));
    expect(step(third.posted, gone, new Date(START + 3 * MINUTE)).posted).toEqual({});
  });
});
