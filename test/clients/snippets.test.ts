/** The programs of the page, run as they stand. */

import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ORIGIN } from '../../src/site/page/code.ts';
import { BATCH_SNIPPET, SNIPPETS } from '../../src/site/page/snippets.ts';
import { setUp } from './service.ts';

const { service, folder, rowOf } = setUp();
const run = promisify(execFile);

/** How a program is run, in the folder that holds it. */
interface Runner {
  readonly file: string;
  readonly command: string;
  /** Fails when the language is not there. */
  readonly probe: string;
  /** What Debian calls it. */
  readonly packages: string;
}

const RUNNERS: Readonly<Record<string, Runner>> = {
  curl: { file: 'send.sh', command: 'bash send.sh', probe: 'curl --version', packages: 'curl' },
  'C#': {
    file: 'Send.cs',
    // The program is written so that .NET, .NET Framework and Mono take it; of these, Debian has Mono.
    command: 'mcs -r:System.Net.Http Send.cs && mono Send.exe',
    probe: 'mcs --version && mono --version',
    packages: 'mono-mcs mono-runtime libmono-system-net-http4.0-cil',
  },
  Java: {
    file: 'Send.java',
    command: 'java Send.java',
    probe: 'java --version && javac --version',
    packages: 'default-jdk-headless',
  },
  JavaScript: {
    file: 'send.mjs',
    command: `'${process.execPath}' send.mjs`,
    probe: `'${process.execPath}' --version`,
    packages: 'nodejs',
  },
  Python: {
    file: 'send.py',
    command:
      '"$(for p in python3 /usr/bin/python3; do $p -c "import requests" 2>&- && echo $p && break; done)" send.py',
    probe: 'python3 -c "import requests" || /usr/bin/python3 -c "import requests"',
    packages: 'python3-requests',
  },
  PHP: {
    file: 'send.php',
    command: 'php send.php',
    probe: `php -r 'exit(function_exists("curl_init") ? 0 : 1);'`,
    packages: 'php-cli php-curl',
  },
};

async function assertInstalled(language: string, { probe, packages }: Runner): Promise<void> {
  await run('bash', ['-c', probe]).catch((cause: unknown) => {
    throw new Error(`Cannot run the snippet for ${language}: it is not installed; apt-get install ${packages}`, {
      cause,
    });
  });
}

test.each(SNIPPETS)('the program in $name sends an event that is stored', async ({ name, source }) => {
  const runner = RUNNERS[name];
  if (runner === undefined) throw new Error(`Cannot run the snippet for ${name}: say how in RUNNERS`);
  await assertInstalled(name, runner);
  const key = `snippet-${SNIPPETS.findIndex((snippet) => snippet.name === name)}`;
  const home = join(folder(), key);
  await mkdir(home);
  await writeFile(join(home, runner.file), source.replaceAll(ORIGIN, service().origin).replaceAll('ntf-8812-1', key));
  const env = { ...process.env, API_TOKEN: service().token };
  const { stdout } = await run('bash', ['-c', runner.command], { cwd: home, env });
  expect(stdout).toMatch(name === 'curl' ? /202 Accepted/ : /^sent\r?\n$/);
  expect(await rowOf(key)).toMatchObject({
    reservation_id: 'res-90417',
    assigned_resource_number: '0304',
    start_utc: '2026-06-12T13:00:00.000Z',
    warnings: [],
  });
});

test('the batch in curl sends two events that are stored, each with a key of its own', async () => {
  const home = join(folder(), 'batch');
  await mkdir(home);
  await writeFile(join(home, 'send.sh'), BATCH_SNIPPET.replaceAll(ORIGIN, service().origin));
  const { stdout } = await run('bash', ['send.sh'], { cwd: home, env: { ...process.env, API_TOKEN: service().token } });
  expect(stdout).toMatch(/202 Accepted/);
  expect(stdout).toContain('"accepted":2,"refused":0');
  for (const key of ['nightly-0518/0', 'nightly-0518/1']) expect(await rowOf(key)).toMatchObject({ warnings: [] });
});

test('a program says what is wrong when it is refused', async () => {
  const source = SNIPPETS.find(({ name }) => name === 'JavaScript')?.source ?? '';
  const file = join(folder(), 'refused.mjs');
  await writeFile(file, source.replaceAll(ORIGIN, service().origin));
  const { stdout } = await run(process.execPath, [file], { env: { ...process.env, API_TOKEN: 'wrong' } });
  expect(stdout).toContain("type: '/problems/unauthorized'");
});
