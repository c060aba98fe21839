/** The fields and their values. Pure. */

import { FIELDS, type Field, type Kind } from '../../contract/fields.ts';
import { MAX_COUNT } from '../../contract/kinds.ts';
import { MEANINGS } from '../../contract/meanings.ts';
import { EVENT_TYPES, RESERVATION_STATES, stateAgrees } from '../../contract/values.ts';
import { type Html, html, prose } from '../html.ts';
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

/** The table of fields. */
export function fields(): Html {
  const required = FIELDS.filter((field) => field.required);
  const optional = FIELDS.filter((field) => !field.required);
  return html`<section id="fields" aria-labelledby="fields-title">
<div class="intro">
<h2 id="fields-title">The fields</h2>
<p>Values are compared exactly, capitals included. Use the names as they stand here, too: others are read with a warning where they differ only in case, <code>_</code>, <code>-</code>, blanks or a plural s. <code>null</code> and a blank string say the same as leaving the field out.</p>
</div>
${table('Required', RULES.required, required)}
${table('Optional', RULES.optional, optional)}
<div class="notes">
<div><h3>Dates and times</h3><p>ISO 8601 with a zone: <code>2026-06-12T15:00:00+02:00</code> or <code>…T13:00:00Z</code>. Whatever the offset, UTC is stored. The local time of the hotel needs its offset: without one the time is read as UTC, with a warning. A date alone, an epoch number, 24:00, or a day that does not exist is no time.</p></div>
<div><h3>Text</h3><p>Send numbers of rooms, rates and customers as strings: <code>"0304"</code>, not <code>304</code>. A number is taken, with a warning, but its leading zeros are gone before we see it.</p></div>
<div><h3>Counts</h3><p>Whole numbers. Digits in a string are taken, with a warning.</p></div>
</div>
</section>`;
}

function table(title: string, caption: string, rows: readonly Field[]): Html {
  return html`<div class="table"><table class="fields">
<caption><strong>${title}</strong> ${prose(caption)}</caption>
<thead><tr><th scope="col">Field</th><th scope="col">Value</th><th scope="col">Meaning</th><th scope="col">Example</th></tr></thead>
<tbody>
${rows.map(row)}</tbody>
</table></div>`;
}

function row({ wire, column, kind, allowed }: Field): Html {
  const { meaning } = MEANINGS[column];
  return html`<tr id="field-${wire}"><th scope="row"><code>${wire}</code></th><td data-label="Value">${KINDS[kind]}${allowed && values(allowed)}</td><td data-label="Meaning">${meaning}</td><td data-label="Example"><code>${JSON.stringify(exampleOf(column))}</code></td></tr>
`;
}

function values(allowed: readonly string[]): Html {
  return html` <ul class="values">${allowed.map((value) => html`<li><code>${value}</code></li>`)}</ul>`;
}

/** Which states go with which event types. */
export function states(): Html {
  return html`<section id="states" aria-labelledby="states-title">
<div class="intro">
<h2 id="states-title">Types and states</h2>
<p><code>EventType</code> says what happened, <code>ReservationState</code> says how the reservation stands after it. Where the two do not go together the event is stored with the warning <code>disagrees_with_event_type</code>. Order is never checked: events may overtake each other on their way.</p>
</div>
<div class="table" tabindex="0" role="region" aria-label="States that go with each event type"><table class="matrix">
<caption class="hidden">States that go with each event type</caption>
<thead><tr><td></td>${RESERVATION_STATES.map((state) => html`<th scope="col"><span>${state}</span></th>`)}</tr></thead>
<tbody>
${EVENT_TYPES.map(
  (type) =>
    html`<tr><th scope="row"><code>${type}</code></th>${RESERVATION_STATES.map((state) =>
      stateAgrees(type, state)
        ? html`<td class="yes"><span class="hidden">goes with ${state}</span></td>`
        : html`<td></td>`,
    )}</tr>
`,
)}</tbody>
</table></div>
</section>`;
}

/** What to send in situations that the names leave open. */
export function situations(): Html {
  return html`<section id="situations" aria-labelledby="situations-title">
<div class="intro">
<h2 id="situations-title">What to send when</h2>
<p>One answer for every sender, so that the events of all hotels read alike.</p>
</div>
<dl class="codes situations">${ADVICE.map(({ situation, send }) => html`<div><dt>${situation}</dt><dd>${prose(send)}</dd></div>\n`)}</dl>
</section>`;
}
