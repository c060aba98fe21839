/**
 * Isolates: each has modules of its own and a clock of its own. Whatever the platform decides (time, timers, randomness,
 * threads) is decided by the world instead.
 */

import { createHash } from 'node:crypto';
import { registerHooks } from 'node:module';
import { byteReader } from './byte-reader.ts';
import { applyChange, type Change } from './change.ts';
import type { World } from './world.ts';

const SOURCE = new URL('../../src/', import.meta.url).href;
/** What is other than in the Worker, since it would come at any time or could not be read without waiting. */
const IN_PLACE_OF: Readonly<Record<string, string>> = {
  'node:zlib': new URL('plain-zlib.ts', import.meta.url).href,
  'hyparquet-writer': new URL('plain-parquet.ts', import.meta.url).href,
};

/** The change that an isolate is loaded with, by the search of its modules' addresses. */
const changes = new Map<string, Change>();

/** Has modules of `src/` loaded once for each isolate. */
export function installLoader(): void {
  registerHooks({
    resolve(specifier, context, next) {
      const parent = context.parentURL ?? '';
      const isolate = parent.startsWith(SOURCE) ? new URL(parent).search : '';
      const url = isolate === '' ? undefined : IN_PLACE_OF[specifier];
      if (url !== undefined) return { url, shortCircuit: true };
      const resolved = next(specifier, context);
      return isolate !== '' && resolved.url.startsWith(SOURCE)
        ? { ...resolved, url: resolved.url + isolate }
        : resolved;
    },
    load(url, context, next) {
      const loaded = next(url, context);
      if (!url.startsWith(SOURCE)) return loaded;
      const { pathname, search } = new URL(url);
      const source = String(loaded.source);
      const change = changes.get(search);
      const isMeant = change !== undefined && pathname.endsWith(`/src/${change.file}`);
      return { ...loaded, source: isMeant ? applyChange(source, change) : source };
    },
  });
}

/** Loads the code that an isolate runs. */
export async function loadIsolate(name: string, change?: Change) {
  if (change !== undefined) changes.set(`?isolate=${name}`, change);
  const load = <Module>(file: string): Promise<Module> => import(`${SOURCE}${file}?isolate=${name}`);
  return {
    name,
    ...(await load<typeof import('../../src/intake/make-durable.ts')>('intake/make-durable.ts')),
    ...(await load<typeof import('../../src/intake/keep-refused.ts')>('intake/keep-refused.ts')),
    ...(await load<typeof import('../../src/intake/batch/store-lines.ts')>('intake/batch/store-lines.ts')),
    ...(await load<typeof import('../../src/storage/event-id.ts')>('storage/event-id.ts')),
    ...(await load<typeof import('../../src/storage/keys.ts')>('storage/keys.ts')),
    ...(await load<typeof import('../../src/storage/line.ts')>('storage/line.ts')),
    ...(await load<typeof import('../../src/storage/create-object.ts')>('storage/create-object.ts')),
    ...(await load<typeof import('../../src/landing/land.ts')>('landing/land.ts')),
    ...(await load<typeof import('../../src/publish/publish.ts')>('publish/publish.ts')),
    ...(await load<typeof import('../../src/landing/gather-batch.ts')>('landing/gather-batch.ts')),
    ...(await load<typeof import('../../src/cron/scheduled.ts')>('cron/scheduled.ts')),
    ...(await load<typeof import('../../src/publish/limits.ts')>('publish/limits.ts')),
    ...(await load<typeof import('../../src/publish/erase/limits.ts')>('publish/erase/limits.ts')),
    ...(await load<typeof import('../../src/table/limits.ts')>('table/limits.ts')),
  };
}

/** The modules in which the tools have a part: a bug there is planted in theirs, too. */
const OF_TOOLS = /^(?:cli|guests)\//;

/** Loads the tools of an operator: the same for all seeds, and for all bugs that are none of theirs. */
export async function loadTools(isolate: string, change?: Change) {
  const name = change !== undefined && OF_TOOLS.test(change.file) ? isolate : 'tools';
  const load = <Module>(file: string): Promise<Module> => import(`${SOURCE}${file}?isolate=${name}`);
  return {
    ...(await load<typeof import('../../src/cli/guests/search.ts')>('cli/guests/search.ts')),
    ...(await load<typeof import('../../src/cli/guests/request-erasure.ts')>('cli/guests/request-erasure.ts')),
  };
}

export type Tools = Awaited<ReturnType<typeof loadTools>>;

/** An isolate. */
export type Isolate = Awaited<ReturnType<typeof loadIsolate>>;

let world: World | undefined;
const RealDate = Date;

/** Has everything happen in a world from now on. */
export function enter(next: World): void {
  world = next;
}

/** Takes the platform's decisions away from it. To be called once, before any isolate is loaded. */
export function takeOverPlatform(): void {
  const here = (): World => {
    if (world === undefined) throw new Error('There is no world yet');
    return world;
  };
  const now = () => (world === undefined ? RealDate.now() : world.now + (world.current?.skewMs ?? 0));
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, self) => Reflect.construct(target, args.length === 0 ? [now()] : args, self),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  });
  const bytes = (length: number) => Uint8Array.from({ length }, () => here().random.int(0, 255));
  Math.random = () => here().random.int(0, 0x3fff_ffff) / 0x4000_0000;
  Object.defineProperty(globalThis, 'crypto', {
    value: {
      randomUUID() {
        const hex = Buffer.from(bytes(16)).toString('hex');
        return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
      },
      getRandomValues(into: Uint8Array | Uint32Array) {
        return into.map(() => here().random.int(0, into instanceof Uint8Array ? 255 : 0x3fff_ffff));
      },
      subtle: {
        digest: async (_: string, data: Uint8Array) =>
          new Uint8Array(createHash('sha256').update(data).digest()).buffer,
      },
    },
  });
  const wait = (run: () => void, milliseconds = 0) => {
    const actor = here().current;
    const timer = { cancelled: false };
    here().after(milliseconds, () => {
      if (!timer.cancelled && actor !== undefined) here().resume(actor, run);
    });
    return timer;
  };
  const cancel = (timer: ReturnType<typeof wait> | undefined) => {
    if (timer !== undefined) timer.cancelled = true;
  };
  const repeat = (run: () => void, milliseconds: number) => {
    const timer = { cancelled: false };
    const again = () => {
      if (timer.cancelled) return;
      run();
      wait(again, milliseconds);
    };
    wait(again, milliseconds);
    return timer;
  };
  AbortSignal.timeout = (milliseconds) => {
    const controller = new AbortController();
    wait(() => controller.abort(new Error('injected: no answer in time')), milliseconds);
    return controller.signal;
  };
  Object.assign(globalThis, {
    setTimeout: wait,
    clearTimeout: cancel,
    setInterval: repeat,
    clearInterval: cancel,
    scheduler: { wait: (milliseconds: number) => new Promise<void>((resolve) => wait(resolve, milliseconds)) },
    fetch: (_: URL, { body, signal }: { body: string; signal: AbortSignal }) =>
      new Promise((resolve, reject) => {
        const actor = here().current;
        if (actor === undefined) throw new Error('Nobody has asked');
        signal.addEventListener('abort', () => reject(signal.reason));
        here().webhook(actor, JSON.parse(body).text).then(resolve, reject);
      }),
    // Nothing is compressed here, see plain-zlib.ts.
    DecompressionStream: class {
      readonly #passing = new TransformStream<Uint8Array, Uint8Array>();
      readonly readable = Object.assign(this.#passing.readable, {
        getReader: () => byteReader(this.#passing.readable),
      });
      readonly writable = this.#passing.writable;
    },
  });
  console.log = () => {};
  // An error that is caught and logged: what is injected is an Error; what the language throws is a fault of our code.
  console.error = ({ event, error, message }: Readonly<Record<string, unknown>>) => {
    if (/^(?:Type|Range|Reference)Error$/.test(String(error))) here().violate(`${event}: ${error}: ${message}`);
  };
  // The tools show there how far they are.
  process.stderr.write = () => true;
}
