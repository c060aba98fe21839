/** Renders the copy of a guest's data as a page. Pure. */

import { MEANINGS } from '../../contract/meanings.ts';

/** A row or another message, as handed out. */
export type GuestRecord = Readonly<Record<string, unknown>>;

/** What is stored about a guest. */
export interface GuestCopy {
  readonly made_at: string;
  /** Covers only what was received before this time. */
  readonly received_before: string;
  /** Rows of accepted events, in chronological order. */
  readonly events: readonly GuestRecord[];
  /** Refused bodies, and messages that were not events. */
  readonly other_records: readonly GuestRecord[];
}

const STYLE = `
body { font: 16px/1.5 system-ui, sans-serif; color: #1d2433; max-width: 50rem; margin: 2.5rem auto; padding: 0 1.25rem; }
h1 { font-size: 1.75rem; line-height: 1.2; } h2 { font-size: 1.25rem; margin-top: 2.5rem; } h3 { font-size: 1rem; margin: 1.5rem 0 .25rem; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid #dfe3ea; }
th { width: 34%; font-weight: 500; } small { display: block; color: #5b6577; font-weight: 400; } td { overflow-wrap: anywhere; white-space: pre-wrap; }
@media print { body { margin: 0; max-width: none; } tr, h3 { break-inside: avoid; break-after: avoid; } }`;

/** Columns about the service itself, which say nothing about the guest. */
const OF_THE_SERVICE = new Set(['event_fingerprint', 'schema_version', 'warnings', 'idempotency_key']);

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Renders the page. It loads nothing else, so it can be sent as one file. */
export function guestPage({ made_at, received_before, events, other_records }: GuestCopy): string {
  const stays = Map.groupBy(events, ({ reservation_id: id }) => (typeof id === 'string' ? id : undefined));
  const sections = [
    ...Array.from(stays, ([id, records]) => {
      const title = id === undefined ? 'Without a reservation number' : `Reservation ${id}`;
      return section(title, records, ({ event_type, received_at }) => `${event_type}, received ${received_at}`);
    }),
    ...(other_records.length === 0
      ? []
      : [section('Messages that were not taken', other_records, ({ kept_in }) => `Kept in ${kept_in}`)]),
  ];
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>What is kept of a guest</title>
<style>${STYLE}</style>
<h1>What is kept of a guest</h1>
<p>Made ${html(made_at)}, of what was received before ${html(received_before)}. ${events.length} message(s) about stays, ${other_records.length} other record(s). All times are UTC.</p>
${sections.join('\n')}
</html>
`;
}

function section(title: string, records: readonly GuestRecord[], nameOf: (record: GuestRecord) => string): string {
  const tables = records.map((record) => `<h3>${html(nameOf(record))}</h3>\n${table(record)}`);
  return `<h2>${html(title)}</h2>\n${tables.join('\n')}`;
}

function table(record: GuestRecord): string {
  const rows = Object.entries(record)
    .filter(([name, value]) => value !== null && !OF_THE_SERVICE.has(name))
    .map(([name, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return `<tr><th>${html(titleOf(name))}${meaningOf(name)}</th><td>${html(text)}</td></tr>`;
    });
  return `<table>\n${rows.join('\n')}\n</table>`;
}

function titleOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function meaningOf(name: string): string {
  const found = Object.entries(MEANINGS).find(([column]) => column === name);
  return found === undefined ? '' : `<small>${html(found[1].meaning)}</small>`;
}

function html(text: string): string {
  return text.replace(/[&<>"]/g, (char) => ESCAPES[char] ?? char);
}
