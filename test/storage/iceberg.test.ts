import { describe, expect, test } from 'vitest';
import { COLUMNS, factsOf } from '../../src/contract/row.ts';
import { type AvroRecord, readAvro, writeAvro } from '../../src/storage/iceberg/avro.ts';
import { ICEBERG_FIELDS } from '../../src/storage/iceberg/schema.ts';
import { attemptIn, parseDataFileName } from '../../src/table/data-file-key.ts';

const SCHEMA: AvroRecord = {
  type: 'record',
  name: 'r',
  fields: [
    { name: 'long', type: 'long', 'field-id': 1 },
    { name: 'text', type: ['null', 'string'], 'field-id': 2 },
    { name: 'bytes', type: 'bytes', 'field-id': 3 },
    { name: 'flag', type: 'boolean', 'field-id': 4 },
    { name: 'list', type: { type: 'array', items: 'int' }, 'field-id': 5 },
  ],
};

describe('writeAvro()', () => {
  test('writes what readAvro() reads, with numbers beyond 32 bits', () => {
    const records = [0, 1, -1, 63, -64, 64, 2 ** 31, -(2 ** 31), 2 ** 40 + 1, 2 ** 52 - 1].map((long, at) => ({
      long,
      text: at % 2 === 0 ? null : 'Ærø \u{1f3e8}',
      bytes: new Uint8Array([at, 255]),
      flag: at % 3 === 0,
      list: Array.from({ length: at }, (_, item) => item - 1),
    }));
    expect(readAvro(SCHEMA, writeAvro(SCHEMA, { content: 'data' }, records))).toEqual(records);
    expect(readAvro(SCHEMA, writeAvro(SCHEMA, {}, []))).toEqual([]);
  });

  test('refuses a number that would not be the same when it is read', () => {
    const record = { long: 2 ** 53, text: null, bytes: new Uint8Array(), flag: false, list: [] };
    expect(() => writeAvro(SCHEMA, {}, [record])).toThrow('Cannot write');
  });

  test('is not read when it breaks off, or is something else', () => {
    const file = writeAvro(SCHEMA, {}, [{ long: 1, text: 'a', bytes: new Uint8Array(9), flag: true, list: [1] }]);
    expect(() => readAvro(SCHEMA, file.subarray(0, file.length - 20))).toThrow('breaks off');
    expect(() => readAvro(SCHEMA, new TextEncoder().encode('PAR1'))).toThrow('does not begin as one');
  });
});

describe('ICEBERG_FIELDS', () => {
  // They never change: what is here is in files that are never written again.
  test('have the identifiers that they were given', () => {
    const first = COLUMNS.filter((name) => factsOf(name).since === 1);
    const ids = Object.fromEntries(ICEBERG_FIELDS.map(({ id, name }) => [name, id]));
    expect(ids).toMatchObject({ event_id: 1, received_at: 4, property_id: 9, extra: 35, part: 36 });
    expect(first.map((name) => ids[name])).toEqual(first.map((_, at) => at + 1));
    expect(ICEBERG_FIELDS.find(({ name }) => name === 'warnings')?.type).toMatchObject({ 'element-id': 37 });
    expect(new Set(Object.values(ids)).size).toBe(COLUMNS.length + 1);
  });
});

describe('parseDataFileName()', () => {
  test('reads what a name says', () => {
    const attempt = '01a22529-8ca7-7000-bbdd-9934415364b9';
    const key = `iceberg/events/data/${attempt}-12-2026-07-10-left_out-0123456789abcdef-split.parquet`;
    const guests = 'left_out-0123456789abcdef';
    expect(parseDataFileName(key)).toEqual({ attempt, number: 12, day: '2026-07-10', guests, fullness: 'split' });
    expect(attemptIn(key)).toBe(attempt);
    expect(attemptIn('iceberg/events/metadata/v12.metadata.json')).toBeUndefined();
  });

  test('does not read what no run has named', () => {
    expect(() => parseDataFileName('iceberg/events/data/part-0.parquet')).toThrow('no run of this service');
  });
});
