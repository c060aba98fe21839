/** What is kept of a guest, as it is handed out. Pure. */

/** A record as it is handed out. */
export type GuestRecord = Readonly<Record<string, unknown>>;

/** What is kept of a guest. */
export interface GuestCopy {
  readonly made_at: string;
  /** Only what was received before then. */
  readonly received_before: string;
  /** The rows of accepted events, in the order of time. */
  readonly events: readonly GuestRecord[];
  /** Bodies that were refused, messages that were no events, and lines that are kept because they cannot be read. */
  readonly other_records: readonly GuestRecord[];
  /** How many of these are no JSON, so that a person has to see whether they tell of other guests too. */
  readonly to_be_checked: number;
}
