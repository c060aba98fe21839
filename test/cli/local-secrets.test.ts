import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { unstable_getVarsForDev } from 'wrangler';
import { quoteJson, readLocalSecrets, setLocalSecret } from '../../src/cli/local-secrets.ts';

function fileOf(text: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'secrets-')), '.dev.vars');
  writeFileSync(file, text);
  return file;
}

test.each([
  'API_TOKEN=plain',
  'API_TOKEN = blanks around \r\nOTHER=1',
  'API_TOKEN="double # quoted" # the token',
  "export API_TOKEN='single'",
  'API_TOKEN=`back "ticks"`',
  'API_TOKEN=cut#off',
  'API_TOKEN: colon',
  'API_TOKEN="two\nlines"\nAPI_TOKENS=\'{\n"a": 1\n}\'',
  '#API_TOKEN=comment\nAPI_TOKEN=first\nAPI_TOKEN=last',
  'API_TOKEN=',
])('`readLocalSecrets()` reads %j as wrangler does', (text) => {
  const file = fileOf(text);
  const vars = unstable_getVarsForDev(join(file, '../wrangler.toml'), undefined, {}, undefined, true);
  const values = Object.entries(vars).map(([name, variable]) => [
    name,
    'value' in variable ? variable.value : undefined,
  ]);
  expect(readLocalSecrets(file)).toEqual(Object.fromEntries(values));
  expect(values.length).toBeGreaterThan(0);
});

test.each([
  ['', 'API_TOKEN=new\n'],
  ['A=1', 'A=1\nAPI_TOKEN=new\n'],
  ['# mine\n\nAPI_TOKENS = x\nAPI_TOKEN=one', '# mine\n\nAPI_TOKENS = x\nAPI_TOKEN=new\n'],
  ['API_TOKEN=one\nA=1\nexport API_TOKEN = "two" # 2\n', 'A=1\nAPI_TOKEN=new\n'],
  ["API_TOKEN='over\nA=1\nlines'\nB=2\n", 'B=2\nAPI_TOKEN=new\n'],
  ['A="\nAPI_TOKEN_NEXT=inside"\n', 'A="\nAPI_TOKEN_NEXT=inside"\nAPI_TOKEN=new\n'],
])('`setLocalSecret()` in %j sets its secret and leaves the rest', (before, after) => {
  const file = fileOf(before);
  setLocalSecret('API_TOKEN', 'new', file);
  expect(readFileSync(file, 'utf8')).toBe(after);
});

test('`setLocalSecret()` changes nothing when another secret would change', () => {
  const text = 'A="\nAPI_TOKEN=inside"\n';
  const file = fileOf(text);
  expect(() => setLocalSecret('API_TOKEN', 'new', file)).toThrow('delete it there, then try again');
  expect(readFileSync(file, 'utf8')).toBe(text);
});

test('`setLocalSecret()` makes a file that nobody else reads', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'secrets-')), '.dev.vars');
  setLocalSecret('API_TOKEN', 'one', file);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('`quoteJson()` survives a file of the dotenv format', () => {
  const value = { tokens: ["it's", '$HOME', '\\', '"', 'Å #'] };
  const text = `API_TOKENS=${quoteJson(JSON.stringify(value))}\n`;
  expect(JSON.parse(parseEnv(text).API_TOKENS ?? '')).toEqual(value);
  expect(JSON.parse(readLocalSecrets(fileOf(text)).API_TOKENS ?? '')).toEqual(value);
});
