/** Where events come from: a file, or made ones. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { generateStays } from '../generate-stays.ts';
import { PROJECT } from '../project.ts';
import { UsageError } from '../usage.ts';
import type { EventText } from './outgoing.ts';
import { readEvents } from './read-events.ts';
import type { SendOptions } from './send-options.ts';

/** Where the notes about made events are kept. */
const GENERATED_DIR = join(PROJECT, '.wrangler/send');

/** Events that can be gone through more than once. */
export interface Input {
  /** The start of the names of all files that belong to the input. */
  readonly name: string;
  events(): AsyncGenerator<EventText>;
}

/**
 * Opens what is to be sent.
 *
 * @throws UsageError when there is no such file.
 */
export function openInput(source: SendOptions['source']): Input {
  if ('file' in source) {
    const { file } = source;
    if (!existsSync(file)) throw new UsageError(`Cannot read ${file}: there is no such file`);
    return { name: file, events: () => readEvents(file) };
  }
  const { generate: count, seed } = source;
  return { name: join(GENERATED_DIR, `generated-${seed}`), events: () => generate(count, seed) };
}

/** Counts the events, so that progress can be shown, and finds out whether all can be read before any is sent. */
export async function countEvents(input: Input): Promise<number> {
  let count = 0;
  for await (const _ of input.events()) count += 1;
  return count;
}

async function* generate(count: number, seed: number): AsyncGenerator<EventText> {
  const stays = generateStays(seed);
  for (let line = 1; line <= count; line += 1) yield { line, body: JSON.stringify(stays.next().value) };
}
