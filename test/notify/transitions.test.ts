import { describe, expect, test } from 'vitest';
import { type Alarms, step } from '../../src/notify/transitions.ts';

const START = Date.parse('2026-07-10T12:00:00.000Z');
const MINUTE = 60_000;
const DAY = 1_440;

/** What a check finds; undefined when that is not known. */
type Finding = string | null | undefined;

/**
 * Goes through checks, by their minutes.
 *
 * @param confirmedFrom - From which minute on the webhook takes messages.
 */
function messagesOf(findings: Readonly<Record<number, Finding>>, confirmedFrom = 0): string[][] {
  let alarms: Alarms = {};
  return Object.entries(findings).map(([minute, finding]) => {
    const conditions = new Map(finding === undefined ? [] : [['queue', finding]]);
    const { messages, posted, unposted } = step(alarms, conditions, new Date(START + Number(minute) * MINUTE));
    alarms = Number(minute) >= confirmedFrom ? posted : unposted;
    return [...messages];
  });
}

const RAISED = ['RAISED queue: down'];

describe('step()', () => {
  test.each<[string, Readonly<Record<number, Finding>>, string[][], number?]>([
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
    ['forgets what was never posted and is over', ['down', 'down', null, null], [[], RAISED, [], []], 2],
  ])('%s', (_, findings, expected, confirmedFrom) => {
    expect(messagesOf(findings, confirmedFrom)).toEqual(expected);
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
