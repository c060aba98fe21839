/** A running service for the tests of a file, and the rows that reach it. */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, vi } from 'vitest';
import { type LocalService, startLocal } from '../../src/cli/local-service.ts';
import { createObjectStore } from '../../src/cli/object-store.ts';

/** Starts a service, and makes a folder for what the tests write. */
export function setUp(): {
  service(): LocalService;
  folder(): string;
  /** Waits for the row of a delivery. */
  rowOf(idempotencyKey: string): Promise<Record<string, unknown>>;
} {
  let folder: string;
  let service: LocalService;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'clients-'));
    service = await startLocal({ stateDir: join(folder, 'state'), show: false });
  });

  afterAll(async () => {
    await service.stop();
    await rm(folder, { recursive: true });
  });

  return {
    service: () => service,
    folder: () => folder,
    rowOf: (idempotencyKey) =>
      vi.waitFor(
        async () => {
          const rows = (await landedRows(service)).filter((row) => row.idempotency_key === idempotencyKey);
          expect(rows).toHaveLength(1);
          return rows[0] ?? {};
        },
        { timeout: 20_000, interval: 200 },
      ),
  };
}

async function landedRows({ store: location }: LocalService): Promise<Record<string, unknown>[]> {
  const store = createObjectStore(location);
  const rows = [];
  for await (const { key } of store.list('landing/')) {
    const text = new TextDecoder().decode(await store.get(key));
    rows.push(
      ...text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    );
  }
  return rows;
}
