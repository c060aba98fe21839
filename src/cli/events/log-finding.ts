/** What `verify` can find wrong, and how it says so. Pure. */

import { LOG_PREFIX, WATERMARK_KEY } from '../../storage/keys.ts';
import type { LogEntry } from '../../storage/log-entry.ts';

/** Something that is not as the log says. */
export type LogFinding =
  | { readonly kind: 'log_gap'; readonly first: number; readonly last: number }
  | { readonly kind: 'table'; readonly key: string; readonly why: string }
  | { readonly kind: 'watermark'; readonly why: string }
  | { readonly kind: 'log_entry'; readonly key: string; readonly why: string }
  | { readonly kind: 'log_short'; readonly last: number; readonly watermark: number }
  | { readonly kind: 'missing'; readonly entry: LogEntry }
  | { readonly kind: 'size'; readonly entry: LogEntry; readonly bytes: number }
  | { readonly kind: 'checksum'; readonly entry: LogEntry; readonly sha256: string }
  | { readonly kind: 'content'; readonly entry: LogEntry; readonly why: string }
  | { readonly kind: 'rows'; readonly entry: LogEntry; readonly rows: number }
  | { readonly kind: 'ids'; readonly entry: LogEntry; readonly first: string; readonly last: string }
  | { readonly kind: 'hour'; readonly entry: LogEntry; readonly count: number; readonly first: string }
  | { readonly kind: 'repeated'; readonly entry: LogEntry; readonly count: number; readonly first: string }
  | { readonly kind: 'replaced'; readonly key: string; readonly by: LogEntry }
  | { readonly kind: 'unlogged'; readonly key: string };

/** A finding in a line: the key of the object, and what is wrong with it. */
export function describeLogFinding(finding: LogFinding): string {
  switch (finding.kind) {
    case 'log_gap': {
      const { first, last } = finding;
      return `${LOG_PREFIX}: ${first === last ? `entry ${first} is` : `entries ${first} to ${last} are`} missing, though there are later ones`;
    }
    case 'log_entry':
      return `${finding.key}: not an entry of the log: ${finding.why}`;
    case 'table':
      return `${finding.key}: ${finding.why}`;
    case 'watermark':
      return `${WATERMARK_KEY}: no watermark: ${finding.why}`;
    case 'log_short':
      return `${LOG_PREFIX}: it ends with entry ${finding.last}, and the watermark rests on entry ${finding.watermark}`;
    case 'replaced':
      return `${finding.key}: still there, though entry ${finding.by.sequence} of the log replaced it by ${finding.by.key}`;
    case 'unlogged':
      return `${finding.key}: not in the log`;
    default:
      return `${finding.entry.key}: ${describePart(finding)} (entry ${finding.entry.sequence} of the log)`;
  }
}

function describePart(finding: Extract<LogFinding, { entry: LogEntry }>): string {
  switch (finding.kind) {
    case 'missing':
      return 'missing';
    case 'size':
      return `${finding.bytes} bytes instead of ${finding.entry.bytes}`;
    case 'checksum':
      return `changed: SHA-256 is ${finding.sha256} instead of ${finding.entry.sha256}`;
    case 'content':
      return finding.why;
    case 'rows':
      return `${finding.rows} rows instead of ${finding.entry.rows}`;
    case 'ids':
      return `event_ids from ${finding.first} to ${finding.last} instead of ${finding.entry.first_event_id} to ${finding.entry.last_event_id}`;
    case 'hour':
      return `${finding.count} event_ids of another hour, the first is ${finding.first}`;
    case 'repeated':
      return `${finding.count} event_ids that occurred before, in it or an earlier part of its hour; the first is ${finding.first}`;
  }
}
