/**
 * Avro object container files without compression (Apache Avro 1.12, Specification): the subset that the metadata of an
 * Iceberg table need. Pure except for the random sync marker.
 */

/** A type. A union is of null and one other type; additional attributes of a type are for other readers. */
export type AvroType =
  | 'boolean'
  | 'int'
  | 'long'
  | 'string'
  | 'bytes'
  | { readonly type: 'int'; readonly logicalType: 'date' }
  | { readonly type: 'array'; readonly items: AvroType; readonly logicalType?: 'map'; readonly 'element-id'?: number }
  | AvroRecord
  | readonly ['null', AvroType];

export interface AvroRecord {
  readonly type: 'record';
  readonly name: string;
  readonly fields: readonly { readonly name: string; readonly type: AvroType; readonly 'field-id': number }[];
}

const MAGIC = [0x4f, 0x62, 0x6a, 0x01];
const SYNC_BYTES = 16;

/** Writes a zigzag varint, also for numbers beyond the 32 bits that bitwise operators keep. */
function writeLong(out: number[], value: number): void {
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER / 2) throw new Error(`Cannot write ${value} as a long`);
  let rest = value < 0 ? -value * 2 - 1 : value * 2;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) out.push((rest % 0x80) | 0x80);
  out.push(rest);
}

function writeBytes(out: number[], bytes: ArrayLike<number>): void {
  writeLong(out, bytes.length);
  append(out, bytes);
}

/** One by one, since a call takes only so many arguments. */
function append(out: number[], bytes: ArrayLike<number>): void {
  for (let at = 0; at < bytes.length; at++) out.push(bytes[at] ?? 0);
}

function writeText(out: number[], text: string): void {
  writeBytes(out, new TextEncoder().encode(text));
}

/**
 * Writes a file of one block.
 *
 * @param metadata - Metadata of the file beside its schema and codec.
 * @param records - Objects with a member for each field.
 */
export function writeAvro(
  schema: AvroRecord,
  metadata: Readonly<Record<string, string>>,
  records: readonly object[],
): Uint8Array<ArrayBuffer> {
  const sync = crypto.getRandomValues(new Uint8Array(SYNC_BYTES));
  const header = { ...metadata, 'avro.schema': JSON.stringify(schema), 'avro.codec': 'null' };
  const out = [...MAGIC];
  writeLong(out, Object.keys(header).length);
  for (const text of Object.entries(header).flat()) writeText(out, text);
  writeLong(out, 0);
  append(out, sync);
  if (records.length > 0) {
    const block: number[] = [];
    for (const record of records) write(block, schema, record);
    writeLong(out, records.length);
    writeBytes(out, block);
    append(out, sync);
  }
  return Uint8Array.from(out);
}

function write(out: number[], type: AvroType, value: unknown): void {
  if (typeof type === 'object' && 'length' in type) {
    writeLong(out, value === null ? 0 : 1);
    if (value !== null) write(out, type[1], value);
  } else if (typeof type === 'object' && type.type === 'record') {
    for (const field of type.fields) write(out, field.type, (value as Record<string, unknown>)[field.name]);
  } else if (typeof type === 'object' && type.type === 'array') {
    const items = value as readonly unknown[];
    if (items.length > 0) writeLong(out, items.length);
    for (const item of items) write(out, type.items, item);
    writeLong(out, 0);
  } else if (type === 'boolean') out.push(value === true ? 1 : 0);
  else if (type === 'string') writeText(out, String(value));
  else if (type === 'bytes') writeBytes(out, value as Uint8Array);
  else writeLong(out, Number(value));
}

/**
 * Reads the records of a file that {@link writeAvro} wrote with this schema.
 *
 * @throws When it is not such a file.
 */
export function readAvro(schema: AvroRecord, file: Uint8Array): unknown[] {
  if (MAGIC.some((byte, at) => file[at] !== byte))
    throw new Error('Cannot read an Avro file: it does not begin as one');
  const cursor: Cursor = { file, at: MAGIC.length };
  for (let count = readLong(cursor); count !== 0; count = readLong(cursor)) {
    for (let text = 0; text < 2 * count; text++) readBytes(cursor);
  }
  cursor.at += SYNC_BYTES;
  const records: unknown[] = [];
  while (cursor.at < file.length) {
    const count = readLong(cursor);
    readLong(cursor);
    for (let record = 0; record < count; record++) records.push(read(cursor, schema));
    cursor.at += SYNC_BYTES;
  }
  return records;
}

interface Cursor {
  readonly file: Uint8Array;
  at: number;
}

function read(cursor: Cursor, type: AvroType): unknown {
  if (typeof type === 'object' && 'length' in type) return readLong(cursor) === 0 ? null : read(cursor, type[1]);
  if (typeof type === 'object' && type.type === 'record') {
    return Object.fromEntries(type.fields.map((field) => [field.name, read(cursor, field.type)]));
  }
  if (typeof type === 'object' && type.type === 'array') {
    const items: unknown[] = [];
    for (let count = readLong(cursor); count !== 0; count = readLong(cursor)) {
      for (let item = 0; item < count; item++) items.push(read(cursor, type.items));
    }
    return items;
  }
  if (type === 'boolean') return readByte(cursor) === 1;
  if (type === 'string') return new TextDecoder().decode(readBytes(cursor));
  return type === 'bytes' ? readBytes(cursor).slice() : readLong(cursor);
}

function readByte(cursor: Cursor): number {
  const byte = cursor.file[cursor.at++];
  if (byte === undefined) throw new Error('Cannot read an Avro file: it breaks off');
  return byte;
}

function readLong(cursor: Cursor): number {
  let value = 0;
  for (let factor = 1; ; factor *= 0x80) {
    const byte = readByte(cursor);
    value += (byte & 0x7f) * factor;
    if (byte < 0x80) return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
}

function readBytes(cursor: Cursor): Uint8Array {
  const length = readLong(cursor);
  const bytes = cursor.file.subarray(cursor.at, cursor.at + length);
  if (bytes.length < length) throw new Error('Cannot read an Avro file: it breaks off');
  cursor.at += length;
  return bytes;
}
