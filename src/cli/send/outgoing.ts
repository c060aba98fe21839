/** An event on its way out. */

import { createHash } from 'node:crypto';

/** One event to send. */
export interface Outgoing {
  /** Where it stands in its source: the line, or the number of the event, from 1. */
  readonly line: number;
  /** The JSON text, exactly as it is sent, without a line break. */
  readonly body: string;
  /** The Idempotency-Key: the same whenever the same source is sent again. */
  readonly key: string;
}

/**
 * Names each event by its content, and equal ones by how many came before, so that a source may grow or lose lines
 * between two runs.
 */
export async function* withKeys(bodies: AsyncIterable<Omit<Outgoing, 'key'>>): AsyncGenerator<Outgoing> {
  const seen = new Map<string, number>();
  for await (const { line, body } of bodies) {
    const digest = createHash('sha256').update(body).digest('hex').slice(0, 32);
    const times = (seen.get(digest) ?? 0) + 1;
    seen.set(digest, times);
    yield { line, body, key: `${digest}-${times}` };
  }
}
