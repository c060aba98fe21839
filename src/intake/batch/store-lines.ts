/** The lines of a batch to a durable store, packed into messages. */

import { Buffer } from 'node:buffer';
import { uuidv7 } from '../../storage/event-id.ts';
import { objectKey } from '../../storage/keys.ts';
import { makeDurable, type StoredIn, type Stores } from '../make-durable.ts';

/**
 * The size up to which lines are packed into one message, in UTF-8 bytes: Queues are billed for each 64 KB, of which some
 * 100 bytes are the platform's own (Queues, Pricing and Limits).
 */
export const PACKED_BYTES = 63_900;

/** A line and the place of its event in the batch. */
export interface NumberedLine {
  readonly at: number;
  readonly line: string;
  /** `dt=YYYY-MM-DD/hour=HH`: a message becomes part of one object, so its lines are of one hour. */
  readonly partition: string;
}

interface Message {
  readonly partition: string;
  readonly items: NumberedLine[];
}

/** Packs lines in their order, as many into one message as fit; a line that is larger has a message of its own. */
export function packLines(items: readonly NumberedLine[]): Message[] {
  const messages: Message[] = [];
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

export interface StoredLines {
  /** The store that has the line, by the place of its event. */
  readonly storedInByPlace: ReadonlyMap<number, StoredIn>;
  /** The messages that the queue has. */
  readonly queued: number;
}

/**
 * Stores lines, those of each message together.
 *
 * @param whenLost - Is told of each message that no store has confirmed in time, and of its partition.
 */
export async function storeLines(
  prefix: 'landing' | 'rejected',
  lines: readonly NumberedLine[],
  stores: Stores,
  whenLost: (text: string, partition: string) => void = () => undefined,
): Promise<StoredLines> {
  const storedInByPlace = new Map<number, StoredIn>();
  let queued = 0;
  const storeMessage = async ({ partition, items }: Message) => {
    const text = items.map(({ line }) => line).join('');
    const durable = await makeDurable(text, () => objectKey(prefix, partition, uuidv7()), stores);
    if (!durable.ok) return whenLost(text, partition);
    if (durable.value === 'queue') queued += 1;
    for (const { at } of items) storedInByPlace.set(at, durable.value);
  };
  await Promise.all(packLines(lines).map(storeMessage));
  return { storedInByPlace, queued };
}
