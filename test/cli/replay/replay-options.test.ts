import { describe, expect, test } from 'vitest';
import { readReplayOptions } from '../../../src/cli/replay/replay-options.ts';
import { UsageError } from '../../../src/cli/usage.ts';

describe('readReplayOptions()', () => {
  test('sends nothing, and 20 requests a second, unless it is told otherwise', () => {
    expect(readReplayOptions(['--all'])).toEqual({ selection: {}, yes: false, rate: 20 });
    expect(
      readReplayOptions([
        '--key',
        'rejected/a',
        '--yes',
        '--rate',
        '5',
        '--sender',
        'x',
        '--url',
        'https://a.example/b',
      ]),
    ).toEqual({
      selection: { keys: ['rejected/a'] },
      yes: true,
      rate: 5,
      sender: 'x',
      url: new URL('https://a.example/b'),
    });
  });

  test('reads times as the other commands do', () => {
    expect(readReplayOptions(['--from', '2026-03-01T09:30+02:00']).selection).toEqual({
      from: new Date('2026-03-01T07:30:00.000Z'),
    });
  });

  test.each([
    [[], 'give --key, or --from and --to, or --all'],
    [['--all', '--from', '2026-03-01'], 'one of them'],
    [['--key', 'landing/a.ndjson'], 'not below rejected/'],
    [['--from', 'yesterday'], 'write it like'],
    [['--from', '2026-03-02', '--to', '2026-03-01'], 'not after --from'],
    [['--all', '--rate', '0'], 'from 1 on'],
  ])('says what to write instead of %j', (args, advice) => {
    expect(() => readReplayOptions(args)).toThrow(UsageError);
    expect(() => readReplayOptions(args)).toThrow(advice);
  });
});
