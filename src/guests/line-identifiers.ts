/** By what a guest is found in a line of any object: an event, a refused body, a dead letter, or anything else. */

import { type KeptBody, textOfBody } from './body-text.ts';
import { identifiersIn, identifiersOf } from './identifiers.ts';

/** A dead letter may hold a refused body, and that the body itself; nothing nests deeper. */
const MAX_LEVELS = 3;

/**
 * Finds the identifiers in a line.
 *
 * @param line - With or without its end.
 */
export async function identifiersOfLine(line: string, levels = MAX_LEVELS): Promise<Set<string>> {
  const record = asObject(line);
  if (record === undefined) return identifiersIn(line);
  if (levels === 0 || !holdsBody(record)) return identifiersOf(record);
  const { body: _, ...rest } = record;
  const sender = 'sender' in record && typeof record.sender === 'string' ? record.sender : undefined;
  const text = await textOfBody(record);
  const inside = holdsLine(text) ? await identifiersOfLine(text, levels - 1) : identifiersIn(text, sender);
  return identifiersOf(rest).union(inside);
}

/** Whether a record keeps a body: one that was refused, or a dead letter. */
export function holdsBody(record: object): record is KeptBody {
  return (
    ('rejection_id' in record || 'message_id' in record) &&
    'body' in record &&
    typeof record.body === 'string' &&
    'body_encoding' in record &&
    typeof record.body_encoding === 'string'
  );
}

function holdsLine(text: string): boolean {
  return text.startsWith('{"event_id":"') || text.startsWith('{"rejection_id":"');
}

function asObject(line: string): object | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
