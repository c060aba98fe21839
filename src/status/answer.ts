/** What `/status.json` answers. Types alone, so that the page can read them too. */

/** Counts of each hour, in the order of the answer's `hours`. */
export type ByHour = readonly number[];

/** The counts of a sender; null stands for what did not answer. */
export interface SenderCounts {
  /** `*` for rows whose sender is not known without reading them. */
  readonly sender: string;
  readonly accepted: ByHour | null;
  readonly refused: ByHour | null;
}

/** Why bodies were refused: all of them, or those with one fault of a field. */
export interface Reason {
  /** The last part of the problem's `type`. */
  readonly problem: string;
  readonly reason: string;
  /** The field and what is wrong with it, as in `StartUtc:required`; empty for the count of bodies. */
  readonly fault: string;
  readonly count: number;
}

/** The refused bodies of one sender in one object of `rejected/`. */
export interface RefusedObject {
  readonly key: string;
  readonly sender: string;
  /** When the first and the last body in the object were refused, of any sender. */
  readonly first_at: string | null;
  readonly last_at: string | null;
  readonly bodies: number;
  readonly reasons: readonly Reason[];
}

/** What waits in a queue; `state` is null when the queue does not answer. */
export interface QueueState {
  readonly name: string;
  readonly state: { readonly messages: number; readonly bytes: number; readonly oldest_at: string | null } | null;
}

export interface PublishedState {
  readonly complete_through: string | null;
  /** The last entry of the log of parts when the watermark was written; null before the first. */
  readonly log_sequence: number | null;
  readonly late_events: number;
  readonly last_late_at: string | null;
  /** Messages in `dead-letter/`, which are no events. */
  readonly unrecognised_messages: number;
  /** How many readings of the queue in a row have not known an age: the watermark stands still meanwhile. */
  readonly readings_without_age: number;
  readonly last_run: {
    readonly started_at: string;
    readonly ended: string;
    readonly duration_ms: number;
    readonly rows: number;
    readonly objects: number;
    readonly last_good_at: string | null;
  } | null;
  /** What the last run of the table's writer has left behind; null when there was none. */
  readonly table: {
    readonly ended_at: string;
    readonly ended: string;
    readonly last_good_at: string | null;
    /** The last entry of the log of parts that the table is in line with. */
    readonly log_sequence: number;
    readonly complete_through: string | null;
  } | null;
}

export interface ServiceState {
  readonly version: { readonly id: string; readonly tag: string; readonly uploaded_at: string } | null;
  /** The checks of `/readyz` that fail, with what is wrong. */
  readonly failed: Readonly<Record<string, string>>;
  readonly queues: readonly QueueState[];
  /** Null when the bucket does not answer. */
  readonly published: PublishedState | null;
}

/** The whole answer. Times are `YYYY-MM-DDTHH:MM:SS.sssZ`. */
export interface Status {
  readonly as_of: string;
  /** Who asked. */
  readonly sender: string;
  readonly operator: boolean;
  /** The first moment of each hour, the newest first. */
  readonly hours: readonly string[];
  /** The sender that asked, or all senders for an operator, the busiest first. */
  readonly senders: readonly SenderCounts[];
  /** Why bodies were refused; null when the bucket did not answer. */
  readonly reasons: readonly Reason[] | null;
  /** The objects with refused bodies, the newest first; null likewise. */
  readonly refused: readonly RefusedObject[] | null;
  /** What is missing above, in words. */
  readonly incomplete: readonly string[];
  /** For operators. */
  readonly service?: ServiceState;
}
