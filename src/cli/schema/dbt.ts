/** A dbt source: what is loaded, described and tested. Pure. */

import { stringify } from 'yaml';
import { allowedValues, OBJECT_KEY, TABLE } from './columns.ts';

/** A file for the folder `models/` of a dbt project. */
export function dbt(): string {
  const columns = TABLE.map(({ name, meaning, nullable }) => {
    const values = allowedValues(name);
    const tests = [
      ...(name === 'event_id' ? ['unique'] : []),
      ...(nullable ? [] : ['not_null']),
      ...(values.length > 0 ? [{ accepted_values: { arguments: { values } } }] : []),
    ];
    return { name, description: meaning, ...(tests.length > 0 && { data_tests: tests }) };
  });
  const source = {
    version: 2,
    sources: [
      {
        name: 'reservations',
        description: 'Reservation events, loaded with the statements of npm run schema.',
        tables: [
          {
            name: 'events',
            description: 'Every accepted event, once.',
            columns: [
              ...columns,
              {
                name: OBJECT_KEY,
                description: 'The object of the bucket that the row was loaded from.',
                data_tests: ['not_null'],
              },
            ],
          },
          {
            name: 'event_parts',
            description: 'The entries of the log of published objects that are loaded.',
            columns: [
              { name: 'sequence', description: 'From 1 on, without a gap.', data_tests: ['unique', 'not_null'] },
            ],
          },
          {
            name: 'event_watermarks',
            description: 'Up to when the table events was complete, one row for each load.',
            // The watermark is about half an hour behind when all is well, and a load may run once an hour.
            config: {
              loaded_at_field: 'complete_through',
              freshness: { warn_after: { count: 3, period: 'hour' }, error_after: { count: 6, period: 'hour' } },
            },
            columns: [
              {
                name: 'complete_through',
                description: 'Every event received before it is loaded.',
                data_tests: ['not_null'],
              },
            ],
          },
        ],
      },
    ],
  };
  return `# For models/ of a dbt project, dbt 1.10.5 or later. schema: where the tables are, when it is not called reservations.\n${stringify(source, { lineWidth: 120 })}`;
}
