/** The sections on fields and their values. Pure. */

import { FIELDS, type Field, type Kind } from '../../contract/fields.ts';
import { MAX_COUNT } from '../../contract/kinds.ts';
import { MEANINGS } from '../../contract/meanings.ts';
import { EVENT_TYPES, RESERVATION_STATES, stateAgrees } from '../../contract/values.ts';
import { type Content, type Html, html, prose } from '../html.ts';
import { section } from '../section.ts';
import { table } from '../table.ts';
import { ADVICE } from '../words/advice.ts';
import { exampleOf } from '../words/examples.ts';
import { RULES } from '../words/rules.ts';

const KINDS: Readonly<Record<Kind, string>> = {
  text: 'text',
  nationality: 'text',
  language: 'language tag',
  timestamp: 'date and time',
  date: 'date',
  count: `0 to ${MAX_COUNT}`,
  choice: 'one of',
};

const COLUMNS = ['Field', 'Value', 'Meaning', 'Example'];

export function fields(): Html {
  const required = FIELDS.filter((field) => field.required);
  const optional = FIELDS.filter((field) => !field.required);
  return section(
    'fields',
    'The fields',
    html`<p>Values are compared exactly, capitals included. Use the names as they stand here, too: others are read with a warning where they differ only in case, <code>_</code>, <code>-</code>, blanks or a plural s. <code>null</code> and a blank string say the same as leaving the field out.</p>`,
    html`<h3>Required</h3>
<p>${prose(RULES.required)}</p>
${table('Required fields', COLUMNS, required.map(row))}
<h3>Optional</h3>
<p>${prose(RULES.optional)}</p>
${table('Optional fields', COLUMNS, optional.map(row))}
<div class="columns notes">
<div><h3>Dates and times</h3><p>ISO 8601 with a zone: <code>2026-06-12T15:00:00+02:00</code> or <code>…T13:00:00Z</code>. Whatever the offset, UTC is stored. The local time of the hotel needs its offset: without one the time is read as UTC, with a warning. A date alone, an epoch number, 24:00, or a day that does not exist is no time.</p></div>
<div><h3>Text</h3><p>Send numbers of rooms, rates and customers as strings: <code>"0304"</code>, not <code>304</code>. A number is taken, with a warning, but its leading zeros are gone before we see it.</p></div>
<div><h3>Counts</h3><p>Whole numbers. Digits in a string are taken, with a warning.</p></div>
</div>`,
  );
}

function row({ wire, column, kind, allowed = [] }: Field): Content[] {
  return [
    html`<code id="field-${column}">${wire}</code>`,
    html`${KINDS[kind]} ${codes(allowed)}`,
    MEANINGS[column].meaning,
    html`<code>${JSON.stringify(exampleOf(column))}</code>`,
  ];
}

function codes(values: readonly string[]): Html {
  return prose(values.map((value) => `\`${value}\``).join(', '));
}

/** The section that says which states go with which event types. */
export function states(): Html {
  const rows = EVENT_TYPES.map((type) => [
    html`<code>${type}</code>`,
    codes(RESERVATION_STATES.filter((state) => stateAgrees(type, state))),
  ]);
  return section(
    'states',
    'Types and states',
    html`<p><code>EventType</code> says what happened, <code>ReservationState</code> says how the reservation stands after it. Where the two do not go together the event is stored with the warning <code>disagrees_with_event_type</code>. Order is never checked: events may overtake each other on their way.</p>`,
    table('States that go with each event type', ['EventType', 'ReservationState'], rows),
  );
}

/** The section on situations that the names of the contract leave open. */
export function situations(): Html {
  return section(
    'situations',
    'What to send when',
    html`<p>One answer for every sender, so that the events of all hotels read alike.</p>`,
    table(
      'What to send in each situation',
      ['Situation', 'Send'],
      ADVICE.map(({ situation, send }) => [situation, prose(send)]),
    ),
  );
}
