/** The answer of `/status.json`. Only types, so that the page can import them too. */

import type { LastRun } from '../storage/last-run.ts';
import type { RejectionCount } from '../storage/rejection-facts.ts';
import type { TableRun } from '../storage/table-run.ts';
import type { Watermark } from '../storage/watermark.ts';

/** A count for each hour, in the order of the answer's `hours`. */
export type ByHour = readonly number[];

/** The counts of a sender. Null when the bucket did not answer. */
export interface SenderCounts {
  /** `*` for all senders that did not fit into the metadata of an object. */
  readonly sender: string;
  readonly accepted: ByHour | null;
  readonly refused: ByHour | null;
}

/** A reason for refusing bodies: all bodies of one reason, or those of them with one faulty field. */
export type Reason = Omit<RejectionCount, 'sender'>;

/** The refused bodies of one sender in one object of `rejected/`. */
export interface RefusedObject {
  readonly key: string;
  readonly sender: string;
  /** When the first and the last body in the object, of any sender, were refused. */
  readonly first_at: string;
  readonly last_at: string;
  readonly bodies: number;
  readonly reasons: readonly Reason[];
}

/** The backlog of a queue. `state` is null when the queue does not answer. */
export interface QueueState {
  readonly name: string;
  readonly state: { readonly messages: number; readonly bytes: number; readonly oldest_at: string | null } | null;
}

/** What the publisher and the writer of the table recorded last. Null where there is no record. */
export interface PublishedState {
  readonly watermark: Watermark | null;
  readonly last_run: LastRun | null;
  readonly table: TableRun | null;
}

export interface ServiceState {
  readonly version: { readonly id: string; readonly tag: string; readonly uploaded_at: string } | null;
  /** The failing checks of `/readyz`, with what is wrong. */
  readonly failed: Readonly<Record<string, string>>;
  readonly queues: readonly QueueState[];
  /** Null when the bucket does not answer. */
  readonly published: PublishedState | null;
}

/** The whole answer. Times are `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export interface Status {
  readonly as_of: string;
  /** The name of the sender that asked. */
  readonly sender: string;
  readonly operator: boolean;
  /** The start of each hour, newest first. */
  readonly hours: readonly string[];
  /** The sender that asked, or for an operator all senders, busiest first. */
  readonly senders: readonly SenderCounts[];
  /** Why bodies were refused. Null when the bucket did not answer. */
  readonly reasons: readonly Reason[] | null;
  /** The objects with refused bodies, newest first. Null when the bucket did not answer. */
  readonly refused: readonly RefusedObject[] | null;
  /** What is missing in this answer, in words. */
  readonly incomplete: readonly string[];
  /** Only for operators. */
  readonly service?: ServiceState;
}
