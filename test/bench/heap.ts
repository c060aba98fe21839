/** The memory that a running Worker has in use, over V8's inspector (Chrome DevTools Protocol, Runtime.getHeapUsage). */

import { setTimeout as sleep } from 'node:timers/promises';

/** Collecting garbage takes some milliseconds, which must not slow down what is measured. */
const SAMPLE_MS = 500;

interface Usage {
  readonly usedSize: number;
  readonly backingStorageSize?: number;
}

/** Node's WebSocket takes headers; the types of the Worker's, which stand beside it here, do not say so. */
const NodeWebSocket = WebSocket as unknown as new (
  url: string,
  options: { readonly headers: Readonly<Record<string, string>> },
) => WebSocket;

/**
 * Watches the heap of the Worker whose inspector listens on a port. Garbage is collected before each look: workerd by
 * itself knows no limit of memory and lets garbage gather; the platform does not.
 */
export async function watchHeap(port: number) {
  const socket = await openInspector(port);
  let peak = 0;
  socket.addEventListener('message', ({ data }) => {
    const { result } = JSON.parse(String(data)) as { result?: Partial<Usage> };
    if (result?.usedSize !== undefined) peak = Math.max(peak, result.usedSize + (result.backingStorageSize ?? 0));
  });
  let running = true;
  const asking = (async () => {
    for (let id = 1; running; id++) {
      socket.send(JSON.stringify({ id: -id, method: 'HeapProfiler.collectGarbage' }));
      socket.send(JSON.stringify({ id, method: 'Runtime.getHeapUsage' }));
      await sleep(SAMPLE_MS);
    }
  })();
  return {
    /** Ends it and returns the most that was seen: what V8 uses and what its buffers hold, in megabytes. */
    async stop() {
      running = false;
      await asking;
      socket.close();
      if (peak === 0) throw new Error('Cannot measure memory: the inspector gave no answer');
      return Math.round(peak / 1e6);
    },
  };
}

async function openInspector(port: number): Promise<WebSocket> {
  const targets = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as { webSocketDebuggerUrl: string }[];
  const url = targets[0]?.webSocketDebuggerUrl;
  if (url === undefined) throw new Error(`Cannot measure memory: no Worker answers on the inspector's port ${port}`);
  // wrangler's inspector wants to know who asks.
  const socket = new NodeWebSocket(url, { headers: { Origin: 'http://localhost' } });
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', () => reject(new Error(`Cannot measure memory: ${url} does not answer`)));
  });
  return socket;
}
