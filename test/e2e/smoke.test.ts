/** The smoke test against the service on this machine, as an operator runs it. */

import { beforeAll, expect, test } from 'vitest';
import type { LocalService } from '../../src/cli/local-service.ts';
import { outcomeOf } from '../cli/commands.ts';
import { STRICT_TOKEN, sharedService } from './shared-service.ts';

let service: LocalService;

beforeAll(async () => {
  service = await sharedService();
});

const smoke = (url: string, env: NodeJS.ProcessEnv) => outcomeOf('smoke', ['--url', url], { env });

test.each([
  ['202', () => service.token],
  ['200', () => STRICT_TOKEN],
])('finds its event in R2 and says how long it took, where a success is %s', async (_, token) => {
  const { code, stdout, stderr } = await smoke(service.origin, { API_TOKEN: token() });
  expect(stderr).toBe('');
  expect(stdout).toMatch(/^ready +\d+ ms {2}\{"status":"ready"/m);
  expect(stdout).toMatch(/^accepted +\d+ ms {2}event_id [\da-f-]{36}$/m);
  expect(stdout).toMatch(
    /^in R2 +\d+ ms {2}(landing|events\/v1)\/dt=\d{4}-\d\d-\d\d\/hour=\d\d\/[\da-f-]{36}\.ndjson/m,
  );
  expect(code).toBe(0);
});

test.each([
  ['a wrong token', () => service.origin, { API_TOKEN: 'wrong' }, 'the token is not one of'],
  ['nobody there', () => 'http://127.0.0.1:9', {}, 'check that the service runs there'],
  ['a bucket that is not named', () => 'https://intake.example', { R2_URL: '' }, 'R2_ACCESS_KEY_ID'],
])('says what is wrong with %s', async (_, url, variables, message) => {
  const { code, stderr } = await smoke(url(), variables);
  expect(code).toBe(1);
  expect(stderr).toContain(message);
});
