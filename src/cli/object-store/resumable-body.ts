/** The bytes of an object over connections that break. */

import { setTimeout as sleep } from 'node:timers/promises';
import { retryDelayMs } from '../backoff.ts';
import { MAX_TRIES } from './request.ts';

/** How reading goes on. */
interface Resumption {
  /** Names the object in messages. */
  readonly key: string;
  /** The offset in the object at which `first` begins. */
  readonly from: number;
  /** Asks for the object again from an offset on: null when there is no more, undefined when it is gone. */
  reopen(offset: number, etag: string | null): Promise<Response | null | undefined>;
  /** Told about each broken connection. */
  warn(message: string): void;
  readonly signal: AbortSignal;
}

/**
 * Reads the body of a response. When the connection breaks before its end, the rest is asked for, as often as bytes
 * come, and up to {@link MAX_TRIES} times in a row without any.
 *
 * @throws When no further bytes come, and when the object is gone or has changed meanwhile.
 */
export async function* resumableBody(first: Response, resumption: Resumption): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const { key, from, reopen, warn, signal } = resumption;
  const etag = first.headers.get('etag');
  const length = first.headers.get('content-length');
  const end = length === null ? 'an unknown number of' : from + Number(length);
  let offset = from;
  let response = first;
  for (let tries = 0; ; ) {
    try {
      for await (const chunk of response.body ?? []) {
        offset += chunk.length;
        tries = 0;
        yield chunk;
      }
      return;
    } catch (cause) {
      signal.throwIfAborted();
      tries += 1;
      const what = `the connection broke after ${offset} of ${end} bytes`;
      if (tries === MAX_TRIES) {
        throw new Error(`Cannot read ${key}: ${what}, ${tries} times; run the command again later`, { cause });
      }
      warn(`Reading ${key}: ${what}; going on from there`);
    }
    await sleep(retryDelayMs(tries, null, new Date(), Math.random()), undefined, { signal });
    const next = await reopen(offset, etag);
    if (next === null) return;
    if (next === undefined) throw new Error(`Cannot read ${key}: it was deleted meanwhile; run the command again`);
    response = next;
  }
}
