/** The files as a data contract of the Open Data Contract Standard 3.1 (Bitol, LF AI & Data). Pure. */

import { stringify } from 'yaml';
import { factsOf } from '../../contract/row.ts';
import { EVENTS_PARTITIONS } from '../../storage/keys.ts';
import { allowedValues, type Column, TABLE } from './columns.ts';

const LOGICAL_TYPES = {
  text: 'string',
  timestamp: 'timestamp',
  date: 'date',
  integer: 'integer',
  texts: 'array',
} as const;

/** The newest version of the schema, which is the version of the contract: columns are only ever added. */
const VERSION = Math.max(...TABLE.map(({ since }) => since));

export function odcs(): string {
  const contract = {
    apiVersion: 'v3.1.0',
    kind: 'DataContract',
    id: 'reservation-events',
    name: 'Reservation events',
    version: `${VERSION}.0.0`,
    status: 'active',
    description: {
      purpose: 'Events of reservations as property management systems send them, checked and in one shape.',
      usage:
        'Load what the log names and is not loaded yet. An hour is complete when complete_through has passed its end.',
      limitations:
        'The order of receipt is not the order of events: a state is the latest by occurred_at, or by received_at where there is none or it is more than a day ahead of that, repeats of a key taken out first.',
    },
    servers: [server()],
    schema: [
      {
        name: 'events',
        logicalType: 'object',
        physicalType: 'file',
        description: 'Every accepted event, once by event_id. Columns are only ever added.',
        properties: TABLE.map(propertyOf),
      },
    ],
    slaProperties: [
      { property: 'frequency', value: 1, unit: 'h', element: 'events.received_at' },
      { property: 'latency', value: 3, unit: 'h', element: 'events.received_at' },
    ],
  };
  return stringify(contract, { lineWidth: 120 });
}

function server() {
  return {
    server: 'ndjson',
    type: 's3',
    location: `s3://<bucket>/${EVENTS_PARTITIONS}*/`,
    endpointUrl: 'https://<account>.r2.cloudflarestorage.com',
    format: 'json',
    delimiter: 'new_line',
  };
}

function propertyOf({ name, type, nullable, meaning, since }: Column) {
  const values = allowedValues(name);
  return {
    name,
    logicalType: LOGICAL_TYPES[type],
    ...(type === 'texts' && { items: { logicalType: 'string' } }),
    description: meaning,
    required: !nullable,
    ...(name === 'event_id' && { primaryKey: true, primaryKeyPosition: 1, unique: true }),
    ...(factsOf(name).personal && { classification: 'restricted', tags: ['personal'] }),
    ...(values.length > 0 && {
      quality: [{ type: 'library', metric: 'invalidValues', arguments: { validValues: values }, mustBe: 0 }],
    }),
    customProperties: [{ property: 'sinceSchemaVersion', value: since }],
  };
}
