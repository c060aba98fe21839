/** The views that answer data teams' questions about events, from one source for all databases. Pure. */

import type { Rejection } from '../../storage/rejection.ts';
import type { Types } from './columns.ts';
import type { Dialect, View } from './dialect.ts';
import { BY_NIGHT } from './views/nights.ts';
import { STATE } from './views/state.ts';
import { STAYS } from './views/stays.ts';

const REFUSALS: View = {
  name: 'refusals',
  answers: 'Refused bodies, each once however often its sender has tried it.',
  select: ({ anyValue }) => `\
SELECT sender, body_fingerprint, status, problem, reason, ${anyValue('r.errors')} AS errors,
  COUNT(*) AS tries, MIN(rejected_at) AS first_rejected_at, MAX(rejected_at) AS last_rejected_at
FROM rejections r
GROUP BY sender, body_fingerprint, status, problem, reason`,
};

/** All views, each after the views it reads. */
export const VIEWS: readonly View[] = [...STATE, ...STAYS, ...BY_NIGHT, REFUSALS];

/** What the views read of a refused body: why it was refused, not its content, which is kept for 30 days only. */
export const REJECTION_COLUMNS = {
  rejection_id: 'text',
  rejected_at: 'timestamp',
  sender: 'text',
  status: 'integer',
  problem: 'text',
  reason: 'text',
  errors: 'faults',
  body_fingerprint: 'text',
} as const satisfies Partial<Record<keyof Rejection, keyof Types>>;

/** Statements that create the other tables that the views read, besides `events`. */
export function inputTables({ types }: Dialect): readonly string[] {
  const rejections = Object.entries(REJECTION_COLUMNS).map(([name, type]) => `  ${name} ${types[type]}`);
  return [
    `\
CREATE TABLE IF NOT EXISTS properties (
  integration_id ${types.text},
  property_id ${types.text},
  time_zone ${types.text},
  rooms ${types.integer},
  rooms_apart ${types.boolean}
);`,
    `CREATE TABLE IF NOT EXISTS rejections (\n${rejections.join(',\n')}\n);`,
  ];
}

/** Statements that create or replace the views, in order of dependency. */
export function viewStatements(dialect: Dialect): readonly string[] {
  return VIEWS.map(({ name, select }) => dialect.replaceView(name, select(dialect)));
}

/** The statements of tables and views, with what each view answers, for `npm run schema`. */
export function printViews(dialect: Dialect): string {
  const [properties = '', rejections = ''] = inputTables(dialect);
  const views = viewStatements(dialect).map((create, at) => `-- ${VIEWS[at]?.answers}\n${create}`);
  return `\
-- Views of the table events. Running all of this again replaces the views and leaves the tables.

-- What events do not say: one row for each hotel that needs one. time_zone: IANA name, such as Europe/Prague; without
-- it days are in UTC. rooms: how many the hotel has, for occupancy. rooms_apart: true where one reservation_id holds
-- several rooms at once; false where another room means that the guest has moved.
${properties}

-- Refused bodies without the body, from rejected/, each rejection_id once.
${rejections}

${views.join('\n\n')}
`;
}
