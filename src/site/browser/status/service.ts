/** The service itself, for operators. */

import type { PublishedState, QueueState, ServiceState } from '../../../status/answer.ts';
import { element } from '../element.ts';
import { ago, clock, number, section, size, table } from './parts.ts';

/** The state of the service, at the moment `now`. */
export function serviceBoard({ version, failed, queues, published }: ServiceState, now: number): HTMLElement[] {
  const faults = Object.entries(failed);
  const list = element(
    'ul',
    { class: 'missing' },
    ...faults.map(([name, finding]) => element('li', {}, element('b', {}, `${name}:`), ` ${finding}`)),
  );
  return [
    section(
      'The service',
      ...(faults.length === 0 ? [element('p', { class: 'well' }, 'Everything is in order.')] : [list]),
      facts([
        ...publishedFacts(published, now),
        [
          'Version',
          version === null ? 'not known' : version.tag || version.id.slice(0, 8),
          version?.uploaded_at ? `uploaded ${clock(version.uploaded_at)} UTC` : '',
        ],
      ]),
      table(
        'Queues',
        ['Queue', 'Messages', 'Size', 'Oldest'],
        queues.map((queue) => queueRow(queue, now)),
      ),
    ),
  ];
}

type Fact = readonly [name: string, value: string, note: string];

function publishedFacts(published: PublishedState | null, now: number): Fact[] {
  if (published === null) return [['Published', 'not known', 'the bucket does not answer']];
  const { complete_through, last_run, late_events, last_late_at, unrecognised_messages, readings_without_age, table } =
    published;
  const newest = published.log_sequence === null ? '' : ` of ${number(published.log_sequence)}`;
  return [
    [
      'Complete through',
      complete_through === null ? 'nothing yet' : `${clock(complete_through)} UTC`,
      complete_through === null ? '' : ago(complete_through, now),
    ],
    [
      'Last run',
      last_run === null ? 'none yet' : `${last_run.ended}, ${ago(last_run.started_at, now)}`,
      last_run === null
        ? ''
        : `${number(last_run.rows)} rows, ${number(last_run.objects)} objects, ${number(last_run.duration_ms)} ms`,
    ],
    [
      'Table complete through',
      table?.complete_through ? `${clock(table.complete_through)} UTC` : 'nothing yet',
      table === null
        ? 'no run yet'
        : `entry ${number(table.log_sequence)}${newest} of the log, last run: ${table.ended}, ${ago(table.ended_at, now)}`,
    ],
    ['Late events', number(late_events), last_late_at === null ? '' : `the last ${ago(last_late_at, now)}`],
    ['Unrecognised messages', number(unrecognised_messages), ''],
    ['Readings without an age', number(readings_without_age), ''],
  ];
}

function facts(all: readonly Fact[]): HTMLElement {
  return element(
    'dl',
    { class: 'verdict' },
    ...all.map(([name, value, note]) =>
      element(
        'div',
        {},
        element('dt', {}, name),
        element('dd', {}, value),
        ...(note === '' ? [] : [element('dd', { class: 'note' }, note)]),
      ),
    ),
  );
}

function queueRow({ name, state }: QueueState, now: number): (Node | string)[] {
  const label = element('code', {}, name);
  if (state === null) return [label, 'does not answer', '', ''];
  return [label, number(state.messages), size(state.bytes), state.oldest_at === null ? '' : ago(state.oldest_at, now)];
}
