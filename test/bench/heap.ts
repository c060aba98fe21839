/** The memory of a running Worker, over V8's inspector (Chrome DevTools Protocol, Runtime.getHeapUsage). */

import { setTimeout as sleep } from 'node:timers/promises';

const SAMPLE_MS = 50;
/** Collecting takes some milliseconds, which must not slow down what is measured. */
const COLLECT_MS = 500;

/** A measurement that runs. */
export interface HeapWatch {
  /** Ends it and returns the most that was seen: what V8 uses and what its buffers hold, in bytes. */
  stop(): Promise<number>;
}

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
 * Watches the heap of the Worker whose inspector listens on a port.
 *
 * @param collect - Whether garbage is collected before each look, so that only what is in use counts. workerd by itself
 * knows no limit of memory and lets garbage gather; the platform does not.
 */
export async function watchHeap(port: number, collect = false): Promise<HeapWatch> {
  const socket = await openInspector(port);
  let peak = 0;
  let samples = 0;
  socket.addEventListener('message', ({ data }) => {
    const { result } = JSON.parse(String(data)) as { result?: Partial<Usage> };
    if (result?.usedSize === undefined) return;
    samples += 1;
    peak = Math.max(peak, result.usedSize + (result.backingStorageSize ?? 0));
  });
  let running = true;
  const asking = (async () => {
    for (let id = 1; running; id++) {
      if (collect) socket.send(JSON.stringify({ id: -id, method: 'HeapProfiler.collectGarbage' }));
      socket.send(JSON.stringify({ id, method: 'Runtime.getHeapUsage' }));
      await sleep(collect ? COLLECT_MS : SAMPLE_MS);
    }
  })();
  return {
    async stop() {
      running = false;
      await asking;
      socket.close();
      if (samples === 0) throw new Error('Cannot measure memory: the inspector gave no answer');
      return peak;
    },
  };
}

/**
 * Counts what the Worker allocates on V8's heap while something is done, garbage included (Chrome DevTools Protocol,
 * HeapProfiler.startSampling).
 *
 * @returns Bytes, from samples.
 */
export async function countAllocations(port: number, work: () => Promise<void>): Promise<number> {
  const socket = await openInspector(port);
  const ask = (id: number, method: string, params: object = {}) => {
    const { promise, resolve } = Promise.withResolvers<AllocationProfile | undefined>();
    const listen = ({ data }: MessageEvent) => {
      const answer = JSON.parse(String(data)) as { id?: number; result?: { profile?: AllocationProfile } };
      if (answer.id !== id) return;
      socket.removeEventListener('message', listen);
      resolve(answer.result?.profile);
    };
    socket.addEventListener('message', listen);
    socket.send(JSON.stringify({ id, method, params }));
    return promise;
  };
  await ask(1, 'HeapProfiler.startSampling', {
    samplingInterval: SAMPLED_BYTES,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  });
  await work();
  const profile = await ask(2, 'HeapProfiler.stopSampling');
  socket.close();
  if (profile === undefined) throw new Error('Cannot measure allocations: the inspector gave no profile');
  return sizeOf(profile.head);
}

/** One sample for so many bytes on average. */
const SAMPLED_BYTES = 1_024;

interface AllocationNode {
  readonly selfSize: number;
  readonly children: readonly AllocationNode[];
}

interface AllocationProfile {
  readonly head: AllocationNode;
}

function sizeOf({ selfSize, children }: AllocationNode): number {
  return children.reduce((sum, child) => sum + sizeOf(child), selfSize);
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
