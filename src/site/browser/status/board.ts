/** A status as elements. */

import type { ByHour, Reason, RefusedObject, SenderCounts, Status } from '../../../status/answer.ts';
import { element } from '../element.ts';
import { bars, share } from './chart.ts';
import { clock, number, section, sum, table } from './parts.ts';
import { serviceBoard } from './service.ts';

/** Everything that is shown of a status. */
export function board(status: Status): HTMLElement[] {
  const { sender, operator, hours, senders, reasons, refused, incomplete, service } = status;
  const total = operator ? totalOf(senders, hours.length) : senders[0];
  return [
    ...(incomplete.length === 0 ? [] : [missing(incomplete)]),
    ...(service === undefined ? [] : serviceBoard(service, Date.parse(status.as_of))),
    section('Why', why(reasons)),
    section(operator ? 'All senders' : sender, ...counted(total, hours)),
    ...(operator ? [section('Senders', sendersTable(senders))] : []),
    section('Refused', objectsTable(refused, operator)),
  ];
}

function missing(notes: readonly string[]): HTMLElement {
  return element('ul', { class: 'missing' }, ...notes.map((note) => element('li', {}, note)));
}

function totalOf(senders: readonly SenderCounts[], hours: number): SenderCounts {
  const add = (of: (counts: SenderCounts) => ByHour | null) =>
    senders.some((counts) => of(counts) === null)
      ? null
      : Array.from({ length: hours }, (_, hour) => sum(senders.map((counts) => of(counts)?.[hour] ?? 0)));
  return { sender: '', accepted: add(({ accepted }) => accepted), refused: add(({ refused }) => refused) };
}

function counted(counts: SenderCounts | undefined, hours: readonly string[]): HTMLElement[] {
  const { accepted = null, refused = null } = counts ?? {};
  const figures = element(
    'div',
    { class: 'drawn' },
    drawn('Accepted', accepted, 'good'),
    drawn('Refused', refused, 'bad'),
  );
  if (accepted === null && refused === null) return [figures];
  const busy = hours.map((hour, at) => ({ hour, at })).filter(({ at }) => accepted?.[at] !== 0 || refused?.[at] !== 0);
  if (busy.length === 0) return [figures];
  const rows = busy.map(({ hour, at }) => [clock(hour), cell(accepted, at), cell(refused, at)]);
  const quiet = hours.length - busy.length;
  return [
    figures,
    element(
      'details',
      {},
      element(
        'summary',
        {},
        quiet === 0 ? 'Hour by hour' : `Hour by hour, without the ${number(quiet)} in which nothing came`,
      ),
      table('Counts by the hour of receipt, UTC', ['Hour, UTC', 'Accepted', 'Refused'], rows, 'narrow'),
    ),
  ];
}

function cell(counts: ByHour | null, at: number): string {
  return counts === null ? 'not known' : number(counts[at] ?? 0);
}

function drawn(name: string, counts: ByHour | null, tone: 'good' | 'bad'): HTMLElement {
  if (counts === null)
    return element('div', { class: 'figure unknown' }, element('b', {}, 'not known'), element('span', {}, name));
  const most = Math.max(...counts);
  const label = `${name}: ${number(sum(counts))} in 24 hours, at most ${number(most)} in one`;
  return element(
    'div',
    { class: `figure ${tone}` },
    element('b', {}, number(sum(counts))),
    element('span', {}, name),
    bars(counts, tone, label),
    element(
      'p',
      { class: 'axis' },
      element('span', {}, '24 hours ago'),
      element('span', {}, `at most ${number(most)} an hour`),
      element('span', {}, 'now'),
    ),
  );
}

function sendersTable(senders: readonly SenderCounts[]): HTMLElement {
  if (senders.length === 0) return element('p', {}, 'Nothing was accepted or refused in the last 24 hours.');
  const rows = senders.map(({ sender, accepted, refused }) => [
    sender === '*' ? 'not known' : sender,
    accepted === null ? 'not known' : number(sum(accepted)),
    refused === null ? 'not known' : number(sum(refused)),
    accepted === null ? '' : bars(accepted, 'good', `Accepted from ${sender}, hour by hour`),
  ]);
  return table('Counts of each sender', ['Sender', 'Accepted', 'Refused', 'Accepted, hour by hour'], rows);
}

function why(reasons: readonly Reason[] | null): HTMLElement {
  if (reasons === null) return element('p', {}, 'It is not known what was refused: the bucket did not answer.');
  if (reasons.length === 0) return element('p', {}, 'Nothing was refused in the last 24 hours.');
  const groups = [...Map.groupBy(reasons, ({ reason }) => reason)].map(([reason, all]) => ({
    reason,
    problem: all[0]?.problem ?? '',
    // The bodies; each may have several faults.
    count: all.find(({ fault }) => fault === '')?.count ?? 0,
    faults: all.filter(({ fault }) => fault !== ''),
  }));
  const most = Math.max(...groups.map(({ count }) => count));
  const rows = groups.map(({ reason, problem, count, faults }) => [
    element('a', { href: `/problems/${problem}` }, reason.replaceAll('_', ' ')),
    number(count),
    share(count, most),
    faults.length === 0 ? '' : element('ul', { class: 'faults' }, ...faults.map(faultLine)),
  ]);
  return table('Reasons of refusal', ['Reason', 'Bodies', 'Share', 'What was wrong'], rows);
}

function faultLine({ fault, count }: Reason): HTMLElement {
  const [field = '', code = ''] = fault.split(':');
  return element('li', {}, element('code', {}, field), ' ', code.replaceAll('_', ' '), ` × ${number(count)}`);
}

function objectsTable(objects: readonly RefusedObject[] | null, operator: boolean): HTMLElement {
  if (objects === null) return element('p', {}, 'It is not known what was refused: the bucket did not answer.');
  if (objects.length === 0) return element('p', {}, 'No refused body is kept of the last 24 hours.');
  const rows = objects.map(({ key, sender, first_at, bodies, reasons }) => [
    first_at === null ? 'not known' : clock(first_at, 'seconds'),
    ...(operator ? [element('span', { class: 'whole' }, sender)] : []),
    number(bodies),
    element('ul', { class: 'faults' }, ...reasons.map((reason) => element('li', {}, spoken(reason)))),
    element('code', { class: 'key' }, key),
  ]);
  const columns = ['Time, UTC', ...(operator ? ['Sender'] : []), 'Bodies', 'Why', 'Object in the bucket'];
  return table('Objects with refused bodies, the newest first', columns, rows);
}

function spoken({ reason, fault, count }: Reason): string {
  return `${fault === '' ? reason.replaceAll('_', ' ') : fault.replace(':', ': ')}${count > 1 ? ` × ${number(count)}` : ''}`;
}
