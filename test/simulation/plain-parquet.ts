/** What the table needs of hyparquet-writer, as lines of JSON, which are read without waiting. */

/** Bytes in the making. */
export class ByteWriter {
  readonly lines: string[] = [];

  getBuffer(): Uint8Array {
    return new TextEncoder().encode(this.lines.join(''));
  }
}

interface Columns {
  readonly columnData: readonly { readonly name: string; readonly data: readonly unknown[] }[];
}

/** Writes rows. */
export class ParquetWriter {
  readonly #writer: ByteWriter;
  readonly row_groups: object[] = [];

  constructor({ writer }: { writer: ByteWriter }) {
    this.#writer = writer;
  }

  write({ columnData }: Columns): void {
    const rows = columnData[0]?.data.length ?? 0;
    for (let at = 0; at < rows; at++) {
      const row = Object.fromEntries(columnData.map(({ name, data }) => [name, data[at]]));
      const text = JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? Number(value) : value));
      this.#writer.lines.push(`${text}\n`);
    }
    this.row_groups.push({ columns: columnData.map(({ name, data }) => describeColumn(name, data)) });
  }

  finish(): void {}
}

function describeColumn(name: string, data: readonly unknown[]): object {
  const values = data.filter((value) => typeof value === 'string' || typeof value === 'bigint').sort(compare);
  const statistics = { min_value: values[0], max_value: values.at(-1), null_count: data.length - values.length };
  return { meta_data: { path_in_schema: [name], statistics } };
}

function compare(left: string | bigint, right: string | bigint): number {
  return left < right ? -1 : 1;
}
