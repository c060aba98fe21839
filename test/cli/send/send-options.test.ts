import { expect, test } from 'vitest';
import { readSendOptions } from '../../../src/cli/send/send-options.ts';

test.each([
  [['e.csv'], { file: 'e.csv', concurrency: 8 }],
  [['e.csv', '--concurrency=2'], { file: 'e.csv', concurrency: 2 }],
  [
    ['e.csv', '--url', 'https://intake.example/x?check'],
    { file: 'e.csv', url: new URL('https://intake.example/x?check'), concurrency: 8 },
  ],
])('`readSendOptions()` reads %j', (args, expected) => {
  expect(readSendOptions(args)).toEqual(expected);
});

test.each([
  [[], /name one file/],
  [['a.csv', 'b.csv'], /name one file/],
  [['a.csv', '--concurrency', '0'], /--concurrency: give a whole number/],
])('`readSendOptions()` refuses %j', (args, message) => {
  expect(() => readSendOptions(args)).toThrow(message);
});
