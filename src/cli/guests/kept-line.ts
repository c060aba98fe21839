/** What is in a line of any place, read as what the service writes there and never as what a sender made it look like. */

import { parseJson, type Reading } from '../../guests/identifiers.ts';
import { readRow } from '../../guests/row-identifiers.ts';
import { DeadLetterSchema } from '../../storage/dead-letter.ts';
import { RejectionSchema } from '../../storage/rejection.ts';
import { parseObject } from '../parse-object.ts';
import { identifiersIn } from './body-identifiers.ts';
import { type KeptBody, textOfBody } from './body-text.ts';
import type { Place } from './places.ts';

/** A line as it was read. */
export interface KeptLine extends Reading {
  /** The identifiers of the guest whose stay it is; in anything else, the same as `found`. */
  readonly own: ReadonlySet<string>;
}

/** Reads the identifiers in a line, with or without its end. */
export async function readKeptLine(place: Place, line: string): Promise<KeptLine> {
  const row = keptRowOf(place, line);
  if (row !== undefined) {
    const { own, named, isCut } = readRow(row);
    return { own, found: own.union(named), isCut };
  }
  const kept = keptBodyOf(place, line);
  if (kept === undefined) return all(identifiersIn(line));
  const { body: _, ...about } = kept;
  const { text, isCut } = await textOfBody(kept);
  const [around, inside] = [identifiersIn(JSON.stringify(about)), identifiersIn(text)];
  return all({ found: around.found.union(inside.found), isCut: isCut || around.isCut || inside.isCut });
}

/** The row of an event, in the places where the service writes rows; undefined for any other line. */
export function keptRowOf(place: Place, line: string): Readonly<Record<string, unknown>> | undefined {
  const value = place === 'events' || place === 'landing' ? parseJson(line) : undefined;
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}

/** A refused body or an unrecognised message with what is kept beside it, in the place where the service writes them. */
export function keptBodyOf(place: Place, line: string): (KeptBody & Readonly<Record<string, unknown>>) | undefined {
  const schema = place === 'rejected' ? RejectionSchema : place === 'dead-letter' ? DeadLetterSchema : undefined;
  const record = schema && parseObject<KeptBody & Readonly<Record<string, unknown>>>(schema, line);
  return record?.ok ? record.value : undefined;
}

function all(reading: Reading): KeptLine {
  return { ...reading, own: reading.found };
}
