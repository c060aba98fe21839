/** Finished lines to messages. Pure. */

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

/** Lines that travel as one message. */
export interface Message<Item extends Packable> {
  readonly partition: string;
  readonly items: readonly Item[];
  readonly text: string;
  /** The size of the text in UTF-8 bytes. */
  readonly bytes: number;
}

const encoder = new TextEncoder();

/** Packs lines in their order, as many into one message as fit; a line that is larger has a message of its own. */
export function packLines<Item extends Packable>(items: readonly Item[]): Message<Item>[] {
  const messages: Message<Item>[] = [];
  // A line is measured by encoding it into what is left of a message, which leaves no garbage.
  const room = new Uint8Array(PACKED_BYTES);
  let open: Item[] = [];
  let bytes = 0;
  const close = () => {
    const [first] = open;
    if (first === undefined) return;
    messages.push({ partition: first.partition, items: open, text: open.map(({ line }) => line).join(''), bytes });
    open = [];
    bytes = 0;
  };
  for (const item of items) {
    if (open[0]?.partition !== item.partition) close();
    let size = sizeWithin(room.subarray(bytes), item.line);
    if (size === undefined) {
      close();
      size = sizeWithin(room, item.line) ?? encoder.encode(item.line).byteLength;
    }
    open.push(item);
    bytes += size;
  }
  close();
  return messages;
}

/** The size of a text in UTF-8 bytes, or undefined when it is larger than the room. */
function sizeWithin(room: Uint8Array, text: string): number | undefined {
  const { read, written } = encoder.encodeInto(text, room);
  return read === text.length ? written : undefined;
}
