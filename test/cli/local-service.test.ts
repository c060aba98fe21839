import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { withoutLoopbackProxy } from '../../src/cli/local-service.ts';

test.each([
  [{}, 'localhost,127.0.0.1,::1'],
  [{ NO_PROXY: '.corp' }, 'localhost,127.0.0.1,::1,.corp'],
  [{ no_proxy: '.corp', NO_PROXY: '.other' }, 'localhost,127.0.0.1,::1,.corp'],
])('`withoutLoopbackProxy()` adds this machine to %j', (env, list) => {
  expect(withoutLoopbackProxy(env)).toEqual({ no_proxy: list, NO_PROXY: list });
});

test('importing it keeps requests to this machine off the proxy', async () => {
  const server = createServer((_, response) => response.end('here'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const script = `
    import '${pathToFileURL(resolve('src/cli/local-service.ts')).href}';
    console.log(await (await fetch('http://127.0.0.1:${port}')).text());`;
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
