import { once } from 'node:events';
import type { Server } from 'node:net';

/** Has a server listen on a free port of this machine. Returns its origin for HTTP. */
export async function listen(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('Cannot find the port of the server');
  return `http://127.0.0.1:${address.port}`;
}
