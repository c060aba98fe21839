import { mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { expect, test } from 'vitest';
import { quoteJson, setLocalSecret } from '../../src/cli/local-secrets.ts';

test('`setLocalSecret()` replaces its secret and keeps the others', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'secrets-')), '.dev.vars');
  setLocalSecret('API_TOKEN', 'one', file);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  writeFileSync(file, '# mine\nAPI_TOKENS = old\nAPI_TOKEN=one');
  setLocalSecret('API_TOKENS', "'{}'", file);
  expect(readFileSync(file, 'utf8')).toBe("# mine\nAPI_TOKEN=one\nAPI_TOKENS='{}'\n");
});

test('`quoteJson()` survives a file of the dotenv format', () => {
  const value = { tokens: ["it's", '$HOME', '\\', '"', 'Å #'] };
  const { API_TOKENS } = parseEnv(`API_TOKENS=${quoteJson(JSON.stringify(value))}\n`);
  expect(JSON.parse(API_TOKENS ?? '')).toEqual(value);
});
