/**
 * Records what the installed wrangler prints, for the tests to play back: `node test/cli/provision/record.ts`. Run it again when
 * wrangler is updated.
 */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unstable_readConfig } from 'wrangler';
import { planFor } from '../../../src/cli/provision/plan.ts';
import { survey } from '../../../src/cli/provision/survey.ts';
import { wantedBy } from '../../../src/cli/provision/wanted.ts';
import { type Ran, runWrangler } from '../../../src/cli/wrangler.ts';
import { emptyAccount, serve } from './cloudflare.ts';

const ENV = 'staging';

const account = emptyAccount();
const { url, server } = await serve(account);
Object.assign(process.env, {
  CLOUDFLARE_API_BASE_URL: url,
  CLOUDFLARE_API_TOKEN: 'recorded',
  CLOUDFLARE_ACCOUNT_ID: '0'.repeat(32),
  WRANGLER_WRITE_LOGS: 'false',
});

/** A runner that also writes down what is printed. */
function recorder(into: Record<string, Ran>) {
  return async (args: readonly string[]) => {
    const ran = await runWrangler(args);
    into[args.join(' ')] = ran;
    return ran;
  };
}

const wanted = wantedBy(unstable_readConfig({ env: ENV }, { hideWarnings: true }));
const before: Record<string, Ran> = {};
const found = await survey(wanted, ENV, recorder(before));
const doing: Record<string, Ran> = {};
for (const { command } of planFor(wanted, found, ENV)) {
  if (command !== undefined) await recorder(doing)(command);
}
account.secrets = [{ name: 'API_TOKEN', type: 'secret_text' }];
const after: Record<string, Ran> = {};
await survey(wanted, ENV, recorder(after));
server.close();

const file = join(import.meta.dirname, 'recorded.json');
writeFileSync(file, `${JSON.stringify({ before, doing, after }, null, 2)}\n`);
console.log(`${file} holds ${[before, doing, after].map((ran) => Object.keys(ran).length).join(' + ')} commands`);
