import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { withoutLoopbackProxy } from '../../src/cli/local-service.ts';
import { listen } from './listen.ts';

test.each([
  [{}, 'localhost,127.0.0.1,::1'],
  [{ NO_PROXY: '.corp' }, 'localhost,127.0.0.1,::1,.corp'],
  [{ no_proxy: '.corp', NO_PROXY: '.other' }, 'localhost,127.0.0.1,::1,.corp'],
])('`withoutLoopbackProxy()` adds this machine to %j', (env, list) => {
  expect(withoutLoopbackProxy(env)).toEqual({ no_proxy: list, NO_PROXY: list });
});

test('importing it keeps requests to this machine off the proxy', async () => {
  const server = createServer((_, response) => response.end('here'));
  const origin = await listen(server);
  const script = `
    import '${pathToFileURL(resolve('src/cli/local-service.ts')).href}';
    console.log(await (await fetch('${origin}')).text());`;
  const proxy = 'http://127.0.0.1:9';
  const env = {
    ...process.env,
    NODE_USE_ENV_PROXY: '1',
    HTTP_PROXY: proxy,
    http_proxy: proxy,
    NO_PROXY: '',
    no_proxy: '',
  };
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], { env });
  server.close();
  expect(stdout).toBe('here\n');
});
