/** The most common mistakes of new senders, as requests. Their answers come from the code of the service. Pure. */

import { EXAMPLES } from './examples.ts';

/** A request with one mistake. */
export interface Mistake {
  readonly name: string;
  /** The part of the request that shows the mistake. */
  readonly sent: string;
  /** What to do instead. */
  readonly remedy: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
  /** Where it is not the right one. */
  readonly contentType?: string;
  /** The text before the token, where it is not the right one. */
  readonly scheme?: string;
}

/** The request that shows a mistake. */
export function requestOf(
  { body, contentType = 'application/json', scheme = 'Bearer ' }: Mistake,
  address: string,
  token: string,
): Request {
  const headers = { Authorization: scheme + token, 'Content-Type': contentType };
  return new Request(address, { method: 'POST', headers, body });
}

const [first] = EXAMPLES;
const EVENT = first?.event ?? {};
const TEXT = JSON.stringify(EVENT);

/** The event with some members replaced. */
const having = (members: object) => JSON.stringify({ ...EVENT, ...members });
/** Members as displayed. */
const shown = (members: object) => JSON.stringify(members).slice(1, -1).replace('":', '": ');
const value = (name: string, members: object, remedy: string): Mistake => ({
  name,
  sent: shown(members),
  remedy,
  body: having(members),
});

/** The mistakes: first of requests, then of bodies, then of values. */
export const MISTAKES: readonly Mistake[] = [
  {
    name: 'The token alone',
    sent: 'Authorization: TOKEN',
    remedy: 'Put `Bearer` and a blank before it.',
    body: TEXT,
    scheme: '',
  },
  {
    name: 'A form',
    sent: 'IntegrationId=int-4821&PropertyId=…',
    remedy: 'Send JSON.',
    body: String(new URLSearchParams({ IntegrationId: 'int-4821', PropertyId: 'prague-riverside' })),
    contentType: 'application/x-www-form-urlencoded',
  },
  {
    name: 'A list',
    sent: '[{"IntegrationId": …}]',
    remedy: 'Send each event for itself, or lists to the batch address.',
    body: `[${TEXT}]`,
  },
  {
    name: 'An envelope',
    sent: '{"data": {"IntegrationId": …}}',
    remedy: 'Send what is in it.',
    body: JSON.stringify({ data: EVENT }),
  },
  {
    name: 'JSON in a string',
    sent: '"{\\"IntegrationId\\": …}"',
    remedy: 'Encode once: many clients do it for you.',
    body: JSON.stringify(TEXT),
  },
  {
    name: 'JSON written by hand',
    sent: '…"Leisure",}',
    remedy: 'Let a JSON library write it.',
    body: TEXT.replace(/\}$/, ',}'),
  },
  {
    name: 'Latin-1 or Windows-1252',
    sent: '"LastName": "Müller" (FC for ü)',
    remedy: 'Encode as UTF-8, or declare `charset=windows-1252`.',
    body: Buffer.from(having({ LastName: 'Müller' }), 'latin1'),
  },
  {
    name: 'Names in another style',
    sent: '"integration_id": "int-4821"',
    remedy: 'Use the names as the table of fields spells them.',
    body: TEXT.replace('"IntegrationId"', '"integration_id"'),
  },
  value('British spelling', { ReservationState: 'Cancelled' }, 'Send `Canceled`; compare with the allowed values.'),
  value('No room yet', { AssignedResourceNumber: null }, 'Send `unassigned`.'),
  value('A date alone', { StartUtc: '2026-06-12' }, 'Add time and offset: `2026-06-12T15:00:00+02:00`.'),
  value('Seconds since 1970', { StartUtc: 1781269200 }, 'Send ISO 8601: `2026-06-12T13:00:00Z`.'),
  value('A time without offset', { StartUtc: '2026-06-12T15:00:00' }, 'Add the offset of the hotel, such as `+02:00`.'),
  value('A room as a number', { AssignedResourceNumber: 304 }, 'Send a string, `"0304"`: a number has lost its zero.'),
  value('A language by its name', { PreferredLanguage: 'German' }, 'Send the tag: `de`.'),
];
