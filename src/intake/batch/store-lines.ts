/** The lines of a batch to a durable store, packed into messages. */

import { uuidv7 } from '../../storage/event-id.ts';
import { objectKey } from '../../storage/keys.ts';
import { makeDurable, type StoredIn, type Stores } from '../make-durable.ts';
import { type Message, type Packable, packLines } from './pack-lines.ts';

/** A line and the place of its event in the batch. */
export interface NumberedLine extends Packable {
  readonly at: number;
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
  const storeMessage = async ({ partition, items }: Message<NumberedLine>) => {
    const text = items.map(({ line }) => line).join('');
    const durable = await makeDurable(text, () => objectKey(prefix, partition, uuidv7()), stores);
    if (!durable.ok) return whenLost(text, partition);
    if (durable.value === 'queue') queued += 1;
    for (const { at } of items) storedInByPlace.set(at, durable.value);
  };
  await Promise.all(packLines(lines).map(storeMessage));
  return { storedInByPlace, queued };
}
