/** `npm run deploy` as somebody types it, with the real wrangler, into a stand-in for the account. */

import { expect, test } from 'vitest';
import { adviceOnAddress } from '../../src/cli/address.ts';
import { readWranglerConfig } from '../../src/cli/wrangler-config.ts';
import { emptyAccount, environmentFor, serve } from './cloudflare.ts';
import { outcomeOf } from './commands.ts';

const BEFORE = '00000000-0000-4000-8000-000000000001';

test.each(['production', 'staging'])(
  '%s is deployed, and whoever deploys it to workers.dev reads what that means',
  async (env) => {
    const account = emptyAccount();
    const old = { id: BEFORE, code: 'old', secrets: { API_TOKENS: '{}' } };
    account.worker = { versions: [old], deployed: { [BEFORE]: 100 } };
    const { url, server } = await serve(account);
    const ran = await outcomeOf('deploy', ['--env', env], { env: environmentFor(url) });
    server.close();
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stdout).toContain(`Before it, version ${BEFORE} had all traffic`);
    expect(account.worker.versions.at(-1)).toMatchObject({ code: 'uploaded', secrets: { API_TOKENS: '{}' } });
    expect(ran.stderr.trim()).toBe(adviceOnAddress(env, readWranglerConfig(env)) ?? '');
  },
);
