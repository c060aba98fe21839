/** The calls that read published files into pandas and Polars, with no type left to a guess. Pure. */

import { EVENTS_PREFIX } from '../../storage/keys.ts';
import { TABLE } from './columns.ts';

const FILES = `files/${EVENTS_PREFIX}dt=*/hour=*/*.ndjson.gz`;

/** The names of the columns of one type, as a list of Python, several a line. */
function listOf(type: (typeof TABLE)[number]['type']): string {
  return `[${TABLE.filter((column) => column.type === type)
    .map(({ name }) => `"${name}"`)
    .join(', ')}]`;
}

/** pandas, from 3.0 on: before it, times ended in 2262. */
export function pandas(): string {
  return `\
# After npm run events -- pull files. Needs pandas 3 or later: times end in 2262 before it.
# dtype=False keeps texts of digits, such as rooms, as texts.
from glob import glob

import pandas as pd

if int(pd.__version__.split(".")[0]) < 3:
    raise SystemExit(f"pandas {pd.__version__} cannot hold times after 2262: install pandas 3 or later")

columns = [
${TABLE.map(({ name }) => `    "${name}",`).join('\n')}
]
parts = (
    pd.read_json(file, lines=True, dtype=False, convert_dates=False, compression="gzip").reindex(columns=columns)
    for file in sorted(glob("${FILES}"))
)
events = pd.concat(parts, ignore_index=True)
for column in ${listOf('timestamp')}:
    events[column] = pd.to_datetime(events[column], format="ISO8601", utc=True)
for column in ${listOf('integer')}:
    events[column] = events[column].astype("Int64")
# pandas has no type for a date alone.
for column in ${listOf('date')}:
    events[column] = pd.to_datetime(events[column], format="%Y-%m-%d")
`;
}

const POLARS_TYPES = {
  text: 'pl.String',
  timestamp: 'pl.String',
  date: 'pl.String',
  integer: 'pl.Int64',
  texts: 'pl.List(pl.String)',
} as const;

export function polars(): string {
  return `\
# After npm run events -- pull files. With a schema nothing is guessed: texts of digits, such as rooms, stay texts.
import polars as pl

schema = {
${TABLE.map(({ name, type }) => `    "${name}": ${POLARS_TYPES[type]},`).join('\n')}
}
events = pl.scan_ndjson("${FILES}", schema=schema).with_columns(
    pl.col(${listOf('timestamp')}).str.to_datetime("%Y-%m-%dT%H:%M:%S%.3fZ", time_unit="ms", time_zone="UTC"),
    pl.col(${listOf('date')}).str.to_date("%Y-%m-%d"),
)
print(events.collect())
`;
}
