/** What is stored, read without the code that is tested. Pure. */

import type { ModelObject } from './model-bucket.ts';

const EVENT_ID = /\\?"event_id\\?":\\?"([\da-f-]{36})/g;

/** Where an event can be. */
export type Place = 'queued' | 'landed' | 'deadLettered' | 'published';

export function placeOf(key: string): Place | undefined {
  if (key.startsWith('landing/')) return 'landed';
  if (key.startsWith('dead-letter/')) return 'deadLettered';
  return key.startsWith('events/v1/dt=') ? 'published' : undefined;
}

const decoder = new TextDecoder();

export function textOf({ body }: Pick<ModelObject, 'body'>): string {
  return decoder.decode(body);
}

/** The rows in a text of lines. */
export function rowsIn<Row>(text: string): Row[] {
  return (text.match(/[^\n]+/g) ?? []).map((line) => JSON.parse(line));
}

/** The events in a text, also where it is quoted in another. */
export function idsIn(body: unknown): string[] {
  return typeof body === 'string' ? Array.from(body.matchAll(EVENT_ID), ([, id = '']) => id) : [];
}

/** When an event was received, in milliseconds since 1970. */
export function timeIn(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
