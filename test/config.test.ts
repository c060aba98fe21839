import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../src/config.ts';

describe('loadConfig()', () => {
  test.each([
    ['1', 60_000],
    ['5', 300_000],
    ['60', 3_600_000],
  ])('takes PUBLISH_AFTER_MINUTES = "%s"', async (text, expected) => {
    expect(await loadConfig({ ...env, PUBLISH_AFTER_MINUTES: text })).toMatchObject({ publishAfterMs: expected });
  });

  test.each(['0', '61', '-5', '1.5', '5m', ' 5', '1e1'])(
    'says what is wrong with PUBLISH_AFTER_MINUTES = "%s"',
    async (text) => {
      await expect(loadConfig({ ...env, PUBLISH_AFTER_MINUTES: text })).rejects.toThrow(
        'PUBLISH_AFTER_MINUTES has to be a whole number from 1 to 60, as in PUBLISH_AFTER_MINUTES = "5"',
      );
    },
  );

  test.each(['', undefined])('says that PUBLISH_AFTER_MINUTES is missing when it is %j', async (text) => {
    const { PUBLISH_AFTER_MINUTES: _, ...others } = env;
    await expect(loadConfig(text === undefined ? others : { ...others, PUBLISH_AFTER_MINUTES: text })).rejects.toThrow(
      'PUBLISH_AFTER_MINUTES is missing; add it to this environment in wrangler.toml',
    );
  });

  test('takes PSEUDONYM_KEY without surrounding blanks, and none when there is none', async () => {
    const key = 'k'.repeat(32);
    expect(await loadConfig({ ...env, PSEUDONYM_KEY: ` ${key}\n` })).toMatchObject({ pseudonymKey: key });
    for (const none of ['', ' \n']) {
      const config = await loadConfig({ ...env, PSEUDONYM_KEY: none });
      expect(config).toMatchObject({ pseudonymKey: undefined, pseudonymKeyFault: undefined });
    }
  });

  test('says what is wrong with a PSEUDONYM_KEY that is too short, and goes on without it', async () => {
    expect(await loadConfig({ ...env, PSEUDONYM_KEY: 'k'.repeat(31) })).toMatchObject({
      pseudonymKey: undefined,
      pseudonymKeyFault: 'PSEUDONYM_KEY has fewer than 32 characters; set another, as "openssl rand -hex 32" makes it',
    });
  });
});
