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

/** A reservation is known by its id within a hotel within a connection. */
export const RESERVATION = 'integration_id, property_id, reservation_id';
