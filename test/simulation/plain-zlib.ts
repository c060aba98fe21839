/** What publishing and the tools need of node:zlib, without compression and without threads, whose end would come at any time. */

import { PassThrough } from 'node:stream';

// For bodies that were refused, of which none here is compressed.
export { constants, createInflate, createInflateRaw } from 'node:zlib';

/** Passes everything on as it is, to whoever reads a part. */
export function createGunzip() {
  return new PassThrough();
}

/** Gives everything back as it is. */
export function gzipSync(bytes: Uint8Array): Uint8Array {
  return bytes;
}

/** Passes everything on as it is. */
export function createGzip() {
  const listeners = new Map<string, (chunk: Uint8Array) => void>();
  const on = (event: string, listener: (chunk: Uint8Array) => void) => {
    listeners.set(event, listener);
    return gzip;
  };
  const gzip = {
    on,
    once: on,
    write(chunk: Uint8Array, done: () => void) {
      listeners.get('data')?.(chunk);
      queueMicrotask(done);
    },
    end() {
      queueMicrotask(() => listeners.get('end')?.(new Uint8Array()));
    },
    destroy() {},
  };
  return gzip;
}
