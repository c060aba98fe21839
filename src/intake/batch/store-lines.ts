/** Packs the lines of a batch into messages and stores them durably. */

import { Buffer } from 'node:buffer';
import { uuidv7 } from '../../storage/event-id.ts';
import { objectKey } from '../../storage/keys.ts';
import { makeDurable, type StoredIn, type Stores } from '../make-durable.ts';

/**
 * Lines are packed into one message up to this size, in UTF-8 bytes: Queues bills each 64 KB, of which the platform
 * uses about 100 bytes itself (Queues, Pricing and Limits).
 */
export const PACKED_BYTES = 63_900;

/** A line and the index of its event in the batch. */
export interface NumberedLine {
  readonly at: number;
  readonly line: string;
  /** `dt=YYYY-MM-DD/hour=HH`. A message becomes part of one object, so its lines have to be of one hour. */
  readonly partition: string;
}

interface Message {
  readonly partition: string;
  readonly items: NumberedLine[];
}

/** Packs lines in order, as many into each message as fit. A line above the size gets a message of its own. */
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
  /** The store that confirmed the line, by the index of its event. */
  readonly storedInByPlace: ReadonlyMap<number, StoredIn>;
  /** The number of messages that the queue confirmed. */
  readonly queued: number;
}

/**
 * Packs lines into messages and stores each message.
 *
 * @param whenLost - Called with each message that no store confirmed in time, and its partition.
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
