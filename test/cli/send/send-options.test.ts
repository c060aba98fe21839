import { expect, test } from 'vitest';
import { readSendOptions } from '../../../src/cli/send/send-options.ts';

test.each([
  [['e.csv'], { source: { file: 'e.csv' }, concurrency: 8 }],
  [['--generate', '10'], { source: { generate: 10, seed: 1 }, concurrency: 8 }],
  [['--generate=10', '--seed=7', '--concurrency=2'], { source: { generate: 10, seed: 7 }, concurrency: 2 }],
  [
    ['e.csv', '--url', 'https://intake.example/x?check'],
    { source: { file: 'e.csv' }, url: new URL('https://intake.example/x?check'), concurrency: 8 },
  ],
])('`readSendOptions()` reads %j', (args, expected) => {
  expect(readSendOptions(args)).toEqual(expected);
});

test.each([
  [[], /name one file/],
  [['a.csv', 'b.csv'], /name one file/],
  [['a.csv', '--generate', '1'], /name one file/],
  [['--generate', 'many'], /--generate: give a whole number/],
  [['a.csv', '--concurrency', '0'], /--concurrency: give a whole number/],
])('`readSendOptions()` refuses %j', (args, message) => {
  expect(() => readSendOptions(args)).toThrow(message);
});
