/** Requests for the faults to meet: events, and every kind of body that is refused. */

import { SMALL_EVENT } from '../sample.ts';
import type { Random } from './random.ts';

const ENDPOINT = 'https://intake.example/api/1.1/wf/reservation';

/** A sender that may send for one integration only. */
export const LIMITED = { name: 'limited', token: 'a-token-of-a-sender-that-is-limited', integration: 'int-elsewhere' };

/** A request, and the text by which what became of it is recognised. */
export interface Prepared {
  readonly mark: string;
  readonly request: Request;
  /** The status of the answer when a store confirms. */
  readonly expected: number;
}

type Kind = (mark: string) => { expected: number; body: BodyInit; headers?: Record<string, string> };

const event = (mark: string) => ({ ...SMALL_EVENT, ReservationId: mark });

const REFUSED: readonly [Kind, ...Kind[]] = [
  (mark) => ({ expected: 422, body: JSON.stringify({ ...event(mark), EventType: 'Nothing' }) }),
  (mark) => ({ expected: 400, body: JSON.stringify(event(mark)).slice(0, -1), headers: JSON_TYPE }),
  (mark) => ({ expected: 400, body: JSON.stringify([event(mark)]), headers: JSON_TYPE }),
  (mark) => ({ expected: 400, body: new Uint8Array([...new TextEncoder().encode(mark), 255]), headers: JSON_TYPE }),
  (mark) => ({ expected: 413, body: mark + 'x'.repeat(70_000) }),
  (mark) => ({ expected: 415, body: `<event>${mark}</event>`, headers: { 'Content-Type': 'text/xml' } }),
  (mark) => ({ expected: 415, body: JSON.stringify(event(mark)), headers: { 'Content-Encoding': 'br' } }),
  (mark) => ({
    expected: 403,
    body: JSON.stringify(event(mark)),
    headers: { Authentication: `Bearer ${LIMITED.token}` },
  }),
];

const JSON_TYPE = { 'Content-Type': 'application/json' };

/** Prepares a request: an event, or in three of ten cases something that is refused. */
export function prepare(mark: string, token: string, random: Random): Prepared {
  const accepted: Kind = () => ({ expected: 202, body: JSON.stringify(event(mark)) });
  const { expected, body, headers } = (random.chance(30) ? random.pick(REFUSED) : accepted)(mark);
  const request = new Request(ENDPOINT, {
    method: 'POST',
    headers: { Authentication: `Bearer ${token}`, ...headers },
    body,
  });
  return { mark, request, expected };
}
