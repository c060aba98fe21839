/** Finished lines to messages. Pure. */

import { Buffer } from 'node:buffer';

/**
 * The size up to which lines are packed into one message, in UTF-8 bytes: Queues are billed for each 64 KB, of which some
 * 100 bytes are the platform's own (Queues, Pricing and Limits).
 */
export const PACKED_BYTES = 63_900;

/** A line, and what has to be told when its message is stored. */
export interface Packable {
  readonly line: string;
  /** `dt=YYYY-MM-DD/hour=HH`: a message becomes part of one object, so its lines are of one hour. */
  readonly partition: string;
}

export interface Message<Item extends Packable> {
  readonly partition: string;
  readonly items: Item[];
}

/** Packs lines in their order, as many into one message as fit; a line that is larger has a message of its own. */
export function packLines<Item extends Packable>(items: readonly Item[]): Message<Item>[] {
  const messages: Message<Item>[] = [];
  let room = 0;
  for (const item of items) {
    const bytes = Buffer.byteLength(item.line);
    const open = messages.at(-1);
    if (open?.partition === item.partition && bytes <= room) {
      open.items.push(item);
      room -= bytes;
    } else {
      messages.push({ partition: item.partition, items: [item] });
      room = PACKED_BYTES - bytes;
    }
  }
  return messages;
}
