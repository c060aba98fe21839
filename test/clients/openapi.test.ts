/** The OpenAPI document in the hands of others: Spectral, and the generators of clients. */

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { beforeAll, expect, test } from 'vitest';
import { EXAMPLES } from '../../src/site/words/examples.ts';
import { setUp } from './service.ts';

const { service, folder, rowOf } = setUp();
const run = promisify(execFile);

/** Generators and linters are too large to be installed with everything else: `CLIENTS` names the folder of them. */
const TOOLS = process.env.CLIENTS ?? '';

let text: string;

beforeAll(async () => {
  if (!existsSync(join(TOOLS, 'node_modules/orval'))) {
    throw new Error('Cannot find the generators: install them as .ci/run does, and name their folder in CLIENTS');
  }
  text = await (await fetch(`${service().origin}/openapi.json`)).text();
});

/** Loads a tool, whose types are not installed; the caller says what it uses. */
function loadTool<Tool>(name: string): Tool {
  return createRequire(join(TOOLS, 'package.json'))(name);
}

interface Spectral {
  setRuleset(ruleset: object): void;
  run(document: object): Promise<object[]>;
}

test('Spectral finds nothing by its recommended rules for OpenAPI', async () => {
  const core = loadTool<{
    Spectral: new () => Spectral;
    Document: new (text: string, parser: object, name: string) => object;
  }>('@stoplight/spectral-core');
  const { Json } = loadTool<{ Json: object }>('@stoplight/spectral-parsers');
  const { oas } = loadTool<{ oas: object }>('@stoplight/spectral-rulesets');
  const spectral = new core.Spectral();
  spectral.setRuleset({ extends: [[oas, 'recommended']] });
  expect(await spectral.run(new core.Document(text, Json, 'openapi.json'))).toEqual([]);
  const unnamed = text.replace('"operationId":', '"operationID":');
  expect(await spectral.run(new core.Document(unnamed, Json, 'openapi.json'))).not.toEqual([]);
});

/** A generator: the files it needs, how it is called, and a program that uses what it made. */
interface Generator {
  readonly name: string;
  readonly command: readonly [script: string, ...args: string[]];
  readonly files: Readonly<Record<string, string>>;
  readonly program: string;
}

const KEY = 'process.env.KEY ?? ""';
const TOKEN = 'process.env.API_TOKEN ?? ""';
const ORIGIN = 'process.env.ORIGIN ?? ""';
const EVENT = JSON.stringify(EXAMPLES[2]?.event);

const GENERATORS: readonly Generator[] = [
  {
    name: 'openapi-typescript',
    command: ['openapi-typescript/bin/cli.js', 'openapi.json', '-o', 'schema.d.ts'],
    files: {},
    program: `import createClient from 'openapi-fetch';
import type { paths } from './schema';
const client = createClient<paths>({ baseUrl: ${ORIGIN}, headers: { Authorization: \`Bearer \${${TOKEN}}\` } });
const { data, error, response } = await client.POST('/api/1.1/wf/reservation', {
  params: { header: { 'Idempotency-Key': ${KEY} } },
  body: ${EVENT},
});
const id: string | undefined = data && 'event_id' in data.response ? data.response.event_id : error?.detail;
console.log(response.status, id);`,
  },
  {
    name: 'hey-api',
    command: ['@hey-api/openapi-ts/bin/run.js', '-i', 'openapi.json', '-o', 'generated', '--no-log-file'],
    files: {},
    program: `import { sendReservationEvent } from './generated';
import { client } from './generated/client.gen';
client.setConfig({ baseUrl: ${ORIGIN} as 'http://localhost', auth: ({ scheme }) => (scheme === 'bearer' ? ${TOKEN} : undefined) });
const { data, error, response } = await sendReservationEvent({ body: ${EVENT}, headers: { 'Idempotency-Key': ${KEY} } });
const id: string | undefined = data && 'event_id' in data.response ? data.response.event_id : error?.detail;
console.log(response?.status, id);`,
  },
  {
    name: 'orval',
    command: ['orval/dist/bin/orval.mjs', '--config', 'orval.config.mjs'],
    files: {
      'orval.config.mjs': `export default { service: {
  input: './openapi.json',
  output: { target: './generated.ts', client: 'fetch', baseUrl: process.env.ORIGIN },
} };`,
    },
    program: `import { sendReservationEvent } from './generated';
const headers = { Authorization: \`Bearer \${${TOKEN}}\`, 'Idempotency-Key': ${KEY} };
const answer = await sendReservationEvent(${EVENT}, undefined, { headers });
const id: string | undefined = answer.status === 202 ? answer.data.response.event_id : undefined;
console.log(answer.status, id);`,
  },
];

/** As strict as a careful client; the names of the platform are those of a browser and of Node.js. */
const TSCONFIG = JSON.stringify({
  compilerOptions: {
    strict: true,
    noEmit: true,
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: [],
  },
  files: ['program.ts', 'process.d.ts'],
});

test.each(GENERATORS)('the client of $name compiles, and sends an event that is stored', async (generator) => {
  const { name, command, files, program } = generator;
  const home = join(folder(), name);
  const key = `generated-${name}`;
  const env = { ...process.env, API_TOKEN: service().token, ORIGIN: service().origin, KEY: key };
  const node = (script: string, ...args: string[]) =>
    run(process.execPath, [join(home, 'node_modules', script), ...args], { cwd: home, env });
  await mkdir(home);
  await symlink(join(TOOLS, 'node_modules'), join(home, 'node_modules'));
  const given = {
    'openapi.json': text,
    'program.ts': `${program}\nexport {};\n`,
    'process.d.ts': 'declare const process: { env: Record<string, string | undefined> };\n',
    'tsconfig.json': TSCONFIG,
    ...files,
  };
  for (const [path, content] of Object.entries(given)) await writeFile(join(home, path), content);

  await node(...command);
  const compiled = await node('typescript/bin/tsc', '--project', '.').catch((error: { stdout: string }) => error);
  expect(compiled.stdout).toBe('');
  await build({
    entryPoints: [join(home, 'program.ts')],
    outfile: join(home, 'program.mjs'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    preserveSymlinks: true,
  });
  const { stdout } = await run(process.execPath, [join(home, 'program.mjs')], { env });
  const row = await rowOf(key);
  expect(stdout.trim()).toBe(`202 ${row.event_id}`);
  expect(row).toMatchObject({ reservation_state: 'Confirmed', warnings: [] });
});
