import { expect, test } from 'vitest';
import { readSendOptions } from '../../../src/cli/send/send-options.ts';

test.each([
  [['e.csv'], { file: 'e.csv' }],
  [
    ['e.csv', '--url', 'https://intake.example/x?check'],
    { file: 'e.csv', url: new URL('https://intake.example/x?check') },
  ],
])('`readSendOptions()` reads %j', (args, expected) => {
  expect(readSendOptions(args)).toEqual(expected);
});

test.each([
  [[], /name one file/],
  [['a.csv', 'b.csv'], /name one file/],
])('`readSendOptions()` refuses %j', (args, message) => {
  expect(() => readSendOptions(args)).toThrow(message);
});
