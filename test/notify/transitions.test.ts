import { describe, expect, test } from 'vitest';
import { type Alarms, compareAlarms } from '../../src/notify/transitions.ts';

const START = Date.parse('2026-07-10T12:00:00.000Z');
const MINUTE = 60_000;
const DAY = 1_440;

/** What a check finds; undefined when that is not known. */
type Finding = string | null | undefined;

/**
 * Goes through checks, by their minutes.
 *
 * @param confirms - From which minute on the webhook takes messages, or in which.
 */
function messagesOf(
  findings: Readonly<Record<number, Finding>>,
  confirms: number | ((minute: number) => boolean) = 0,
): string[][] {
  const isConfirmed = typeof confirms === 'number' ? (minute: number) => minute >= confirms : confirms;
  let alarms: Alarms = {};
  return Object.entries(findings).map(([minute, finding]) => {
    const conditions = new Map(finding === undefined ? [] : [['queue', finding]]);
    const { messages, posted, unposted } = compareAlarms(alarms, conditions, new Date(START + Number(minute) * MINUTE));
    alarms = isConfirmed(Number(minute)) ? posted : unposted;
    return [...messages];
  });
}

const RAISED = ['RAISED queue: down'];

describe('compareAlarms()', () => {
  test.each<[string, Readonly<Record<number, Finding>>, string[][], (number | ((minute: number) => boolean))?]>([
    ['says nothing while all is well', [null, null], [[], []]],
    ['raises an alarm at the second check', ['down', 'down', 'down'], [[], RAISED, []]],
    ['lets one bad check pass', ['down', null, 'down', null], [[], [], [], []]],
    [
      'clears an alarm at the second check',
      ['down', 'down', null, null, null],
      [[], RAISED, [], ['CLEARED queue, after 3 minutes'], []],
    ],
    ['lets one good check pass', ['down', 'down', null, 'down'], [[], RAISED, [], []]],
    [
      'repeats an alarm every day, with what is wrong now',
      { 0: 'down', 1: 'down', [DAY]: 'slow', [DAY + 1]: 'slow', [DAY + 2]: 'slow', [2 * DAY + 1]: 'slow' },
      [[], RAISED, [], ['STILL RAISED queue, for 24 hours: slow'], [], ['STILL RAISED queue, for 48 hours: slow']],
    ],
    ['keeps an alarm of which nothing is known', ['down', 'down', undefined, 'down'], [[], RAISED, [], []]],
    [
      'posts again what the webhook has not confirmed',
      ['down', 'down', 'down', 'down', 'down'],
      [[], RAISED, RAISED, RAISED, []],
      3,
    ],
    [
      'clears an alarm that the webhook may have got without confirming it',
      ['down', 'down', null, null, null],
      [[], RAISED, ['CLEARED queue, after 2 minutes'], ['CLEARED queue, after 3 minutes'], []],
      3,
    ],
    [
      'raises again what the webhook may have taken for cleared',
      { 0: 'down', 1: 'down', [DAY]: null, [DAY + 1]: null, [DAY + 2]: 'down', [DAY + 3]: 'down' },
      [[], RAISED, [], ['CLEARED queue, after 24 hours'], ['STILL RAISED queue, for 24 hours: down'], []],
      (minute: number) => minute !== DAY + 1,
    ],
  ])('%s', (_, findings, expected, confirms) => {
    expect(messagesOf(findings, confirms)).toEqual(expected);
  });

  test('tells several alarms at once, and remembers nothing of those that are quiet', () => {
    const conditions = new Map<string, string | null>([
      ['queue', 'down'],
      ['bucket', 'slow'],
      ['secrets', null],
    ]);
    const first = compareAlarms({}, conditions, new Date(START));
    expect(Object.keys(first.posted)).toEqual(['queue', 'bucket']);
    const second = compareAlarms(first.posted, conditions, new Date(START + MINUTE));
    expect(second.messages).toEqual(['RAISED queue: down', 'RAISED bucket: slow']);
    const gone = new Map([...conditions.keys()].map((name) => [name, null] as const));
    const third = compareAlarms(second.posted, gone, new Date(START + 2 * MINUTE));
    expect(compareAlarms(third.posted, gone, new Date(START + 3 * MINUTE)).posted).toEqual({});
  });
});
