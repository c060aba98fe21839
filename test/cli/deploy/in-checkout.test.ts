/** Running the wrangler of an earlier commit, in a real repository with a real npm; the wrangler in it only says where it is. */

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { inCheckout } from '../../../src/cli/deploy/in-checkout.ts';
import { makeRepository } from './repository.ts';

const { folder, git, run, commit } = makeRepository();
const commits: string[] = [];

const WRANGLER = `import { readFileSync } from 'node:fs';
console.log(process.cwd(), readFileSync('code.txt', 'utf8'), process.argv.slice(2).join(' '));
`;

beforeAll(() => {
  mkdirSync(join(folder, 'wrangler/bin'), { recursive: true });
  writeFileSync(join(folder, 'wrangler/package.json'), '{"name": "wrangler", "version": "1.0.0", "type": "module"}');
  writeFileSync(join(folder, 'wrangler/bin/wrangler.js'), WRANGLER);
  writeFileSync(
    join(folder, 'package.json'),
    '{"name": "service", "version": "1.0.0", "dependencies": {"wrangler": "file:wrangler"}}',
  );
  execFileSync('npm', ['install', '--package-lock-only', '--offline', '--no-audit', '--no-fund'], { cwd: folder });
  for (const text of ['one', 'two']) {
    writeFileSync(join(folder, 'code.txt'), text);
    commits.push(commit(text));
  }
});

test('`inCheckout()` works where the commit is checked out, and leaves nothing behind', async () => {
  const { code, stdout } = await inCheckout(commits[0] ?? '', (wrangler) => wrangler(['deploy', '--minify']), run);
  const [where = '', ...said] = stdout.trim().split(' ');
  expect({ code, said }).toEqual({ code: 0, said: ['one', 'deploy', '--minify'] });
  expect(existsSync(where)).toBe(false);
  expect(git('worktree', 'list').split('\n')).toHaveLength(1);
});

test('`inCheckout()` shows no token to the scripts of packages', async () => {
  const seen = join(folder, 'seen.txt');
  const script = `node -e "fs.writeFileSync('${seen}', String(process.env.CLOUDFLARE_API_TOKEN))"`;
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({
      name: 'service',
      version: '1.0.0',
      scripts: { postinstall: script },
      dependencies: { wrangler: 'file:wrangler' },
    }),
  );
  git('commit', '--all', '--message', 'three');
  process.env.CLOUDFLARE_API_TOKEN = 'a-token-of-the-account';
  await inCheckout('HEAD', async () => ({ code: 0, stdout: '', stderr: '' }), run);
  expect(readFileSync(seen, 'utf8')).toBe('undefined');
});

test('`inCheckout()` leaves nothing behind when the work fails', async () => {
  const work = async () => {
    throw new Error('The work failed');
  };
  await expect(inCheckout(commits[0] ?? '', work, run)).rejects.toThrow('The work failed');
  expect(git('worktree', 'list').split('\n')).toHaveLength(1);
});

test('`inCheckout()` says what to do when the commit is not here', async () => {
  const refused = inCheckout('0123456789ab', async () => ({ code: 0, stdout: '', stderr: '' }), run);
  await expect(refused).rejects.toThrow(
    'Cannot check out 0123456789ab, from which the service was deployed: git fetch',
  );
});
