/** What a view is, and what several share. Pure. */

import type { Dialect } from '../dialect.ts';

/** A view: one query for all databases. */
export interface View {
  readonly name: string;
  /** What it answers, in a sentence or two. */
  readonly answers: string;
  readonly select: (dialect: Dialect) => string;
}

/**
 * When a change of a reservation happened, as far as is known: not more than a day after it was received. A clock that is
 * decades ahead would freeze the state of a reservation for good.
 */
export function happened({ dayAfter }: Pick<Dialect, 'dayAfter'>): string {
  return `CASE WHEN occurred_at <= ${dayAfter('received_at')} THEN occurred_at ELSE received_at END`;
}

/** A reservation is known by its id within a hotel within a connection. */
export const RESERVATION = 'integration_id, property_id, reservation_id';
