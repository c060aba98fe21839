import { expect, test } from 'vitest';
import { childEnvironment } from '../../src/cli/child-environment.ts';

const SECRETS = {
  API_TOKEN: 'a',
  REVOKED_TOKEN: 'a',
  R2_ACCESS_KEY_ID: 'a',
  R2_SECRET_ACCESS_KEY: 'a',
  PSEUDONYM_KEY: 'a',
  ALERT_WEBHOOK: 'a',
  GITHUB_TOKEN: 'a',
};
const OTHERS = { PATH: '/bin', HOME: '/home', R2_URL: 'https://bucket.example', KEYBOARD: 'de' };
const CLOUDFLARE = { CLOUDFLARE_API_TOKEN: 'a', CLOUDFLARE_API_KEY: 'a' };

test('`childEnvironment()` hands on no secret but those that are needed', () => {
  const env = { ...SECRETS, ...CLOUDFLARE, ...OTHERS };
  expect(childEnvironment(undefined, env)).toEqual(OTHERS);
  expect(childEnvironment(/^CLOUDFLARE_/, env)).toEqual({ ...OTHERS, ...CLOUDFLARE });
});
