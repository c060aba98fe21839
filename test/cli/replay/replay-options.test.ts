import { describe, expect, test } from 'vitest';
import { readReplayOptions } from '../../../src/cli/replay/replay-options.ts';
import { UsageError } from '../../../src/cli/usage.ts';

describe('readReplayOptions()', () => {
  test('is a dry run at 20 requests a second unless it is told otherwise', () => {
    expect(readReplayOptions(['dead-letter', '--all'])).toEqual({
      source: 'dead-letter',
      selection: {},
      dryRun: true,
      rate: 20,
    });
    expect(
      readReplayOptions(['rejected', '--key', 'rejected/a', '--no-dry-run', '--rate', '5', '--sender', 'x']),
    ).toEqual({
      source: 'rejected',
      selection: { keys: ['rejected/a'] },
      dryRun: false,
      rate: 5,
      sender: 'x',
    });
  });

  test.each([
    ['2026-03-01T09:30Z', '2026-03-01T09:30:00.000Z'],
    ['2026-03-01T09:30', '2026-03-01T09:30:00.000Z'],
    ['2026-03-01', '2026-03-01T00:00:00.000Z'],
    ['2026-03-01T09:30+02:00', '2026-03-01T07:30:00.000Z'],
  ])('reads the time %s as %s', (text, time) => {
    expect(readReplayOptions(['rejected', '--from', text]).selection).toEqual({ from: new Date(time) });
  });

  test.each([
    [[], 'name dead-letter or rejected'],
    [['landing', '--all'], 'name dead-letter or rejected'],
    [['dead-letter', 'rejected', '--all'], 'one of them'],
    [['dead-letter'], 'give --key, or --from and --to, or --all'],
    [['dead-letter', '--all', '--from', '2026-03-01'], 'one of them'],
    [['dead-letter', '--key', 'landing/a.ndjson'], 'not below dead-letter/'],
    [['dead-letter', '--from', 'yesterday'], 'write it like'],
    [['rejected', '--all', '--rate', '0'], 'from 1 on'],
    [['rejected', '--all', '--fast'], '--fast'],
  ])('says what to write instead of %j', (args, advice) => {
    expect(() => readReplayOptions(args)).toThrow(UsageError);
    expect(() => readReplayOptions(args)).toThrow(advice);
  });
});
