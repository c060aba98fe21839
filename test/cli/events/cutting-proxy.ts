/** A network that breaks connections: TCP to another port, cut after some bytes of what comes back. */

import { once } from 'node:events';
import { connect, createServer } from 'node:net';

/** A running proxy. */
export interface CuttingProxy {
  readonly port: number;
  /** How many connections were cut. */
  readonly cuts: number;
  close(): Promise<void>;
}

/**
 * Starts a proxy on a free port.
 *
 * @param cutAfter - Tells for each connection, counted from 0, after how many bytes of answers it is cut; undefined never.
 */
export async function startCuttingProxy(
  port: number,
  cutAfter: (connection: number) => number | undefined,
): Promise<CuttingProxy> {
  let connections = 0;
  let cuts = 0;
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    let left = cutAfter(connections++) ?? Number.POSITIVE_INFINITY;
    client.pipe(upstream);
    upstream.on('data', (chunk) => {
      client.write(chunk.subarray(0, left));
      left -= chunk.length;
      if (left > 0) return;
      cuts += 1;
      upstream.destroy();
      client.end();
    });
    upstream.on('end', () => client.end());
    client.on('close', () => upstream.destroy());
    // Either side may be gone before the other knows.
    client.on('error', () => upstream.destroy());
    upstream.on('error', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('Cannot find the port of the proxy');
  return {
    port: address.port,
    get cuts() {
      return cuts;
    },
    close: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}
