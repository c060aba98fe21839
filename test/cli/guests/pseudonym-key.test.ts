import { describe, expect, test } from 'vitest';
import { pseudonymKey } from '../../../src/cli/guests/pseudonym-key.ts';

describe('pseudonymKey()', () => {
  test('reads the secret without the end of its line', () => {
    expect(pseudonymKey(false, { PSEUDONYM_KEY: `${'k'.repeat(32)}\n` })).toBe('k'.repeat(32));
  });

  test.each([{}, { PSEUDONYM_KEY: ' ' }, { PSEUDONYM_KEY: 'short' }])('refuses %j and says what to do', (env) => {
    expect(() => pseudonymKey(false, env)).toThrow('npm run secret -- set PSEUDONYM_KEY');
  });
});
