/** Reads a stored line in the format that the service writes in its place, whatever a sender made it look like. */

import { parseJson, type Reading } from '../../guests/identifiers.ts';
import { readRow } from '../../guests/row-identifiers.ts';
import { DeadLetterSchema } from '../../storage/dead-letter.ts';
import { RejectionSchema } from '../../storage/rejection.ts';
import { parseStored } from '../parse-stored.ts';
import { identifiersIn } from './body-identifiers.ts';
import { type KeptBody, textOfBody } from './body-text.ts';
import type { Place } from './places.ts';

/** The identifiers in a line. */
export interface KeptLine extends Reading {
  /** Identifiers of the guest whose stay the row is; equal to `found` for anything that is not a row. */
  readonly own: ReadonlySet<string>;
}

/** Finds the identifiers in a line, with or without its newline. */
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

/** A refused body or an unrecognised message with its metadata, in the places where the service writes them. */
export function keptBodyOf(place: Place, line: string): (KeptBody & Readonly<Record<string, unknown>>) | undefined {
  const schema = place === 'rejected' ? RejectionSchema : place === 'dead-letter' ? DeadLetterSchema : undefined;
  const record = schema && parseStored<KeptBody & Readonly<Record<string, unknown>>>(schema, line);
  return record?.ok ? record.value : undefined;
}

function all(reading: Reading): KeptLine {
  return { ...reading, own: reading.found };
}
