/** Queue and R2 as the tests of the Worker need them: the real ones but for what is said here. */

import { env } from 'cloudflare:workers';

/** The real bucket, except for these calls. */
export function bucketWith(calls: Partial<Record<keyof R2Bucket, unknown>>): R2Bucket {
  return new Proxy(env.BUCKET, {
    get(bucket, name) {
      if (name in calls) return Reflect.get(calls, name);
      const own = Reflect.get(bucket, name);
      return typeof own === 'function' ? own.bind(bucket) : own;
    },
  });
}

/** What R2 says when it fails. */
export const outOfOrder = () => Promise.reject(new Error('Internal Error (10001)'));

/** A queue that confirms each message and hands it to `take`. */
export function queueInto(take: (message: string) => unknown): Queue<string> {
  const send = async (message: string) => {
    take(message);
    return { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } };
  };
  return { ...env.EVENTS, send };
}
