/** What to send in situations that every hotel knows but the names of the contract leave open. Pure. */

import { type EventType, NO_ROOM, type ReservationState, stateAgrees } from '../../contract/values.ts';

/** The situations, the most common first. Code is in backticks. */
export const ADVICE: readonly Readonly<Record<'situation' | 'send', string>>[] = [
  {
    situation: 'No room is assigned yet',
    send: `\`AssignedResourceNumber\`: \`"${NO_ROOM}"\`, in lower case. The field is required. Send the event once more when the room is known.`,
  },
  {
    situation: 'Dates, room, rate or guest change',
    send: `The event of the state that the reservation is in, with the new values: ${pair('ReservationConfirmed', 'Confirmed')} before the arrival, ${pair('ReservationStarted', 'Started')} during the stay. \`ReservationId\` stays the same; \`UpdatedUtc\` says when it changed.`,
  },
  {
    situation: 'The booking is called off',
    send: `${pair('ReservationCanceled', 'Canceled')}, with one l. \`Cancelled\` is refused.`,
  },
  {
    situation: 'The guest does not come (no-show)',
    send: `${pair('ReservationCanceled', 'Canceled')}, once the hotel gives the room away. Put the reason into a field of your own, such as \`"CancellationReason": "NoShow"\`: it is kept in \`extra\`.`,
  },
  {
    situation: 'The guest checks out, early too',
    send: `${pair('ReservationProcessed', 'Processed')}, with the \`EndUtc\` that came true.`,
  },
  {
    situation: 'You only have the local time of the hotel',
    send: 'The local time with its offset on that day: `2026-06-12T15:00:00+02:00` in Prague in summer, `+01:00` in winter. Without an offset it is read as UTC, hours off.',
  },
  {
    situation: 'Your client takes nothing but 200 for a success',
    send: 'Ask the operator to set `"accepted_status": 200` for your token. Until then, let it take 202 for stored: an event that is sent again after a 202 is stored twice.',
  },
];

/** @throws When the contract would warn about the pair. */
function pair(eventType: EventType, state: ReservationState): string {
  if (!stateAgrees(eventType, state)) throw new Error(`Cannot advise ${eventType} with ${state}: they disagree`);
  return `\`${eventType}\` with \`${state}\``;
}
