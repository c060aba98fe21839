/** What is kept beside events: refused bodies, and messages that are none of the service. */

import type { ModelBucket } from './model-bucket.ts';

/** The account of both. */
export class KeptLedger {
  readonly #bucket: ModelBucket;
  /** What has to stand in an object of a prefix in the end, and in no other place. */
  readonly #wanted: { readonly prefix: 'rejected/' | 'dead-letter/'; readonly text: string }[] = [];

  constructor(bucket: ModelBucket) {
    this.#bucket = bucket;
  }

  /** A body was refused, and the answer said that it was kept. */
  refuse(rejectionId: string): void {
    this.#wanted.push({ prefix: 'rejected/', text: `"rejection_id":"${rejectionId}"` });
  }

  /** Somebody has sent a message with this text in it. */
  send(text: string): void {
    this.#wanted.push({ prefix: 'dead-letter/', text });
  }

  /** What is nowhere when all queues are empty. */
  missing(): string | undefined {
    const texts = new Map<string, string>();
    for (const { key, body } of this.#bucket.objects.values()) {
      const prefix = key.slice(0, key.indexOf('/') + 1);
      texts.set(prefix, (texts.get(prefix) ?? '') + new TextDecoder().decode(body));
    }
    const lost = this.#wanted.find(({ prefix, text }) => !texts.get(prefix)?.includes(text));
    return lost === undefined ? undefined : `${lost.text} is not in ${lost.prefix}`;
  }
}
