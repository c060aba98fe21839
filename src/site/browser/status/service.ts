/** Rendering the state of the service, for operators. Pure. */

import type { PublishedState, QueueState, ServiceState } from '../../../status/answer.ts';
import { type Content, type Html, html } from '../../html.ts';
import { section } from '../../section.ts';
import { table } from '../../table.ts';
import { ago, clock, number } from './format.ts';

/** Renders the state of the service at the time `now`, in milliseconds since 1970. */
export function serviceBoard({ version, failed, queues, published }: ServiceState, now: number): Html {
  const faults = Object.entries(failed);
  const state =
    faults.length === 0
      ? html`<p class="notice good">Everything is in order.</p>`
      : html`<ul class="notice later">${faults.map(([name, finding]) => html`<li><b>${name}:</b> ${finding}</li>`)}</ul>`;
  const versionFact: Fact = [
    'Version',
    version === null ? 'not known' : version.tag || version.id.slice(0, 8),
    version?.uploaded_at ? `uploaded ${clock(version.uploaded_at)} UTC` : '',
  ];
  const facts = [...publishedFacts(published, now), versionFact];
  return section(
    'service',
    'The service',
    '',
    html`${state}
<dl class="facts">${facts.map(
      ([name, value, note]) =>
        html`<div><dt>${name}</dt><dd>${value}</dd>${note && html`<dd class="hint">${note}</dd>`}</div>`,
    )}</dl>
${table(
  'Queues',
  ['Queue', 'Messages', 'Size', 'Oldest'],
  queues.map((queue) => queueRow(queue, now)),
)}`,
  );
}

type Fact = readonly [name: string, value: string, note: string];

function publishedFacts(published: PublishedState | null, now: number): Fact[] {
  if (published === null) return [['Published', 'not known', 'the bucket does not answer']];
  const { watermark, last_run, table } = published;
  const { complete_through, late_events = 0, last_late_at, unrecognised_messages = 0 } = watermark ?? {};
  return [
    [
      'Complete through',
      complete_through ? `${clock(complete_through)} UTC` : 'nothing yet',
      complete_through ? ago(complete_through, now) : '',
    ],
    [
      'Last run',
      last_run ? `${last_run.ended}, ${ago(last_run.started_at, now)}` : 'none yet',
      last_run
        ? `${number(last_run.rows)} rows, ${number(last_run.objects)} objects, ${number(last_run.duration_ms)} ms`
        : '',
    ],
    [
      'Table complete through',
      table?.complete_through ? `${clock(table.complete_through)} UTC` : 'nothing yet',
      table
        ? `entry ${number(table.log_sequence)}${watermark ? ` of ${number(watermark.log_sequence)}` : ''} of the log, last run: ${table.ended}, ${ago(table.ended_at, now)}`
        : 'no run yet',
    ],
    ['Late events', number(late_events), last_late_at ? `the last ${ago(last_late_at, now)}` : ''],
    ['Unrecognised messages', number(unrecognised_messages), ''],
    ['Readings without an age', number(last_run?.readings_without_age ?? 0), ''],
  ];
}

function queueRow({ name, state }: QueueState, now: number): Content[] {
  const label = html`<code>${name}</code>`;
  if (state === null) return [label, 'does not answer', '', ''];
  const { messages, bytes, oldest_at } = state;
  return [label, number(messages), size(bytes), oldest_at === null ? '' : ago(oldest_at, now)];
}

/** Formats a size in a suitable unit. */
function size(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB'];
  const at = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${(bytes / 1000 ** at).toLocaleString('en', { maximumFractionDigits: 1 })} ${units[at]}`;
}
