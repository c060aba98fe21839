/** Rendering a status. Pure. */

import type { ByHour, Reason, RefusedObject, SenderCounts, Status } from '../../../status/answer.ts';
import { type Html, html } from '../../html.ts';
import { section } from '../../section.ts';
import { table } from '../../table.ts';
import { bars, figure } from './chart.ts';
import { clock, known, number, sum } from './format.ts';
import { serviceBoard } from './service.ts';

/** Renders a status. */
export function board(status: Status): Html {
  const { sender, operator, hours, senders, reasons, refused, incomplete, service } = status;
  // When the bucket does not answer, an operator's answer has no senders, and their sum is not known.
  const isKnown = senders.length > 0 || incomplete.length === 0;
  const total = operator && isKnown ? totalOf(senders, hours.length) : senders[0];
  return html`${incomplete.length > 0 && html`<ul class="notice later">${incomplete.map((note) => html`<li>${note}</li>`)}</ul>`}
${service && serviceBoard(service, Date.parse(status.as_of))}
${section('why', 'Why', '', reasons ? why(reasons) : UNKNOWN)}
${section('counts', operator ? 'All senders' : sender, '', counted(total, hours))}
${operator && isKnown && section('senders', 'Senders', '', sendersTable(senders))}
${section('refused', 'Refused', '', refused ? objectsTable(refused, operator) : UNKNOWN)}`;
}

const UNKNOWN = html`<p>It is not known what was refused: the bucket did not answer.</p>`;

function totalOf(senders: readonly SenderCounts[], hours: number): SenderCounts {
  const add = (of: (counts: SenderCounts) => ByHour | null) =>
    senders.some((counts) => of(counts) === null)
      ? null
      : Array.from({ length: hours }, (_, hour) => sum(senders.map((counts) => of(counts)?.[hour] ?? 0)));
  return { sender: '', accepted: add(({ accepted }) => accepted), refused: add(({ refused }) => refused) };
}

function counted(counts: SenderCounts | undefined, hours: readonly string[]): Html {
  const { accepted = null, refused = null } = counts ?? {};
  const rows = hours
    .map((hour, at) => ({ hour, here: [accepted?.[at], refused?.[at]] }))
    .filter(({ here }) => here.some((count) => count !== undefined && count > 0))
    .map(({ hour, here }) => [clock(hour), ...here.map(known)]);
  const quiet = hours.length - rows.length;
  return html`<div class="columns">${figure('Accepted', accepted, 'good')}${figure('Refused', refused, 'bad')}</div>
${
  rows.length > 0 &&
  html`<details>
<summary>Hour by hour${quiet > 0 && `, without the ${quiet} in which nothing came`}</summary>
${table('Counts by the hour of receipt, UTC', ['Hour, UTC', 'Accepted', 'Refused'], rows, 'dense')}
</details>`
}`;
}

function sendersTable(senders: readonly SenderCounts[]): Html {
  if (senders.length === 0) return html`<p>Nothing was accepted or refused in the last 24 hours.</p>`;
  const rows = senders.map(({ sender, accepted, refused }) => [
    sender === '*' ? 'others' : sender,
    known(accepted && sum(accepted)),
    known(refused && sum(refused)),
    accepted !== null && bars(accepted, `Accepted from ${sender}, hour by hour`, 'good'),
  ]);
  return table('Counts of each sender', ['Sender', 'Accepted', 'Refused', 'Accepted, hour by hour'], rows);
}

function why(reasons: readonly Reason[]): Html {
  if (reasons.length === 0) return html`<p>Nothing was refused in the last 24 hours.</p>`;
  const rows = Array.from(
    Map.groupBy(reasons, ({ reason }) => reason),
    ([reason, all]) => {
      // The count of bodies; each body may have several errors.
      const bodies = all.find(({ fault }) => fault === '');
      const name = html`<a href="/problems/${all[0]?.problem}">${reason.replaceAll('_', ' ')}</a>`;
      return [name, number(bodies?.count ?? 0), list(all.filter((one) => one !== bodies))];
    },
  );
  return table('Reasons of refusal', ['Reason', 'Bodies', 'What was wrong'], rows);
}

function objectsTable(objects: readonly RefusedObject[], operator: boolean): Html {
  if (objects.length === 0) return html`<p>No refused body is kept of the last 24 hours.</p>`;
  const rows = objects.map(({ key, sender, first_at, bodies, reasons }) => [
    clock(first_at, 'seconds'),
    ...(operator ? [html`<span class="whole">${sender}</span>`] : []),
    number(bodies),
    list(reasons),
    html`<code>${key}</code>`,
  ]);
  const columns = ['Time, UTC', ...(operator ? ['Sender'] : []), 'Bodies', 'Why', 'Object in the bucket'];
  return table('Objects with refused bodies, the newest first', columns, rows);
}

/** Each reason: the field and its error, or why the whole body was refused. */
function list(reasons: readonly Reason[]): Html | false {
  const items = reasons.map(({ reason, fault, count }) => {
    const [field, code = reason] = fault.split(':');
    return html`<li>${field && html`<code>${field}</code> `}${code.replaceAll('_', ' ')} × ${number(count)}</li>`;
  });
  return items.length > 0 && html`<ul>${items}</ul>`;
}
