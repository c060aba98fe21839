import { describe, expect, test } from 'vitest';
import { readReplayOptions } from '../../../src/cli/replay/replay-options.ts';
import { UsageError } from '../../../src/cli/usage.ts';

describe('readReplayOptions()', () => {
  test.each([
    [['--all'], { range: {}, yes: false }],
    [['--from', '2026-03-01T09:30+02:00'], { range: { from: new Date('2026-03-01T07:30Z') }, yes: false }],
    [
      ['--all', '--yes', '--sender', 'x', '--url', 'https://a.example/b'],
      { range: {}, yes: true, sender: 'x', url: new URL('https://a.example/b') },
    ],
  ])('reads %j', (args, expected) => {
    expect(readReplayOptions(args)).toEqual(expected);
  });

  test.each([
    [[], 'give --from and --to, or --all'],
    [['--all', '--from', '2026-03-01'], 'one of them'],
    [['--from', 'yesterday'], 'write it like'],
    [['--from', '2026-03-02', '--to', '2026-03-01'], 'not after --from'],
  ])('says what to write instead of %j', (args, advice) => {
    expect(() => readReplayOptions(args)).toThrow(UsageError);
    expect(() => readReplayOptions(args)).toThrow(advice);
  });
});
