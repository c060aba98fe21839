/** What a view is, and what several share. Pure. */

import type { Dialect } from '../dialect.ts';

/** A view: one query for all databases. */
export interface View {
  readonly name: string;
  /** What it answers, in a sentence or two. */
  readonly answers: string;
  readonly select: (dialect: Dialect) => string;
}

/** When a change of a reservation happened, as far as is known. */
export const HAPPENED = 'COALESCE(occurred_at, received_at)';

/** The order in which the events of a reservation make its state, backwards. */
export const LATEST_FIRST = `${HAPPENED} DESC, received_at DESC, event_id DESC`;
