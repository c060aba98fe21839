/** Finished lines to messages. Pure. */

import { PACKED_BYTES } from './limits.ts';

/** A line, and what has to be told when its message is stored. */
export interface Packable {
  readonly line: string;
  /** `dt=YYYY-MM-DD/hour=HH`: a message becomes part of one object, so its lines are of one hour. */
  readonly partition: string;
}

/** Lines that travel as one message. */
export interface Message<Item extends Packable> {
  readonly partition: string;
  readonly items: readonly Item[];
  readonly text: string;
}

const encoder = new TextEncoder();

/** Packs lines in their order, as many into one message as fit; a line that is larger has a message of its own. */
export function packLines<Item extends Packable>(items: readonly Item[]): Message<Item>[] {
  const messages: Message<Item>[] = [];
  let open: Item[] = [];
  let bytes = 0;
  const close = () => {
    const [first] = open;
    if (first === undefined) return;
    messages.push({ partition: first.partition, items: open, text: open.map(({ line }) => line).join('') });
    open = [];
    bytes = 0;
  };
  for (const item of items) {
    const size = encoder.encode(item.line).byteLength;
    if (bytes + size > PACKED_BYTES || open[0]?.partition !== item.partition) close();
    open.push(item);
    bytes += size;
  }
  close();
  return messages;
}
