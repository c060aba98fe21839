/** What is really in the bucket at the end. */

import * as v from 'valibot';
import { listAll } from '../../src/storage/many-objects.ts';
import { RejectionSchema } from '../../src/storage/rejection.ts';

/** Reads the whole bucket: events and their marks in `landing/`, the marks of bodies in `rejected/`, the text of each object. */
export async function readStored(bucket: R2Bucket) {
  const objects = new Map<string, string>();
  for await (const { key } of listAll(bucket, {})) objects.set(key, (await (await bucket.get(key))?.text()) ?? '');

  const events = new Set<string>();
  const eventMarks = new Set<string>();
  for (const line of linesUnder(objects, 'landing/')) {
    const { event_id, reservation_id } = v.parse(EventSchema, JSON.parse(line));
    events.add(event_id);
    eventMarks.add(reservation_id);
  }
  const rejections = linesUnder(objects, 'rejected/').map((line) => v.parse(RejectionSchema, JSON.parse(line)));
  return { events, eventMarks, rejectedMarks: new Set(rejections.map(markOf)), objects };
}

const EventSchema = v.object({ event_id: v.string(), reservation_id: v.string() });

function linesUnder(objects: ReadonlyMap<string, string>, prefix: string): string[] {
  return [...objects].filter(([key]) => key.startsWith(prefix)).flatMap(([, text]) => text.split('\n').slice(0, -1));
}

function markOf({ body, body_encoding }: v.InferOutput<typeof RejectionSchema>): string {
  return /mark-\d+-\d+-/.exec(body_encoding === 'base64' ? atob(body) : body)?.[0] ?? '';
}
