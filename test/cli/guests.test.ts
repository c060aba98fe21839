/** The command as the person types it who answers a guest, against the running service. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { pull } from '../../src/cli/events/pull.ts';
import { verify } from '../../src/cli/events/verify.ts';
import { createFolderStore } from '../../src/cli/folder-store.ts';
import { readGuestsOptions } from '../../src/cli/guests/guests-options.ts';
import { search } from '../../src/cli/guests/search.ts';
import { runLocalCron } from '../../src/cli/local-crons.ts';
import type { LocalService } from '../../src/cli/local-service.ts';
import { createObjectStore, type ObjectStore } from '../../src/cli/object-store.ts';
import type { DeadLetter } from '../../src/storage/dead-letter.ts';
import { ndjson } from '../../src/storage/line.ts';
import { sharedService } from '../e2e/shared-service.ts';
import { SMALL_EVENT } from '../sample.ts';
import { bucketOf, pathOf, run } from './commands.ts';

const PARTITION = 'dt=2026-03-01/hour=09';

/** Values about the guest; nothing of them may be left. */
const MARKS = ['novak', 'Novák', 'Amélie', '602 123', '602123', 'cust-20733', 'wheelchair'];

const HOTEL = ['--integration-id', SMALL_EVENT.IntegrationId, '--property-id', SMALL_EVENT.PropertyId];
const ID = ['--customer-id', 'cust-20733', ...HOTEL];
/** What expires and is not edited. */
const NOT_EDITED = /^(?:rejected|dead-letter|unreadable)\//;

const GUEST = ['--email', 'AMELIE.NOVAK@example.com', '--phone', '+420 602 123 456', ...ID];
const NAME = ['--name', 'Novak Amelie', '--birth-date', '1987-11-02'];

/** The same guest as four systems know them. */
const SPELLINGS = [
  { CustomerId: 'cust-20733', FirstName: 'Amélie', LastName: 'Novák', StaffComment: 'uses a wheelchair' },
  { Email: ' Amelie.Novak@Example.com', FirstName: 'Amélie' },
  { Phone: '00420 602 123 456', LastName: 'Novák' },
  { FirstName: 'AMÉLIE', LastName: 'NOVÁK', BirthDate: '1987-11-02' },
];
const OTHER = {
  CustomerId: 'cust-1',
  FirstName: 'Jan',
  LastName: 'Dvořák',
  Email: 'jan@example.com',
  Phone: '+420 777 888 999',
};

let service: LocalService;
let folder: string;
let store: ObjectStore;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reservation-guests-'));
  service = await sharedService();
  store = createObjectStore(service.store);
  for (const guest of [...SPELLINGS, OTHER]) await send({ ...SMALL_EVENT, ReservationId: 'res-1', ...guest });
  await publish();
  await send({ ...SMALL_EVENT, ReservationId: 'res-2', ...SPELLINGS[0] });
  await send({ ...SMALL_EVENT, ReservationId: 'res-2', ...OTHER });
  // Refused: required fields are missing. Once as it is, once packed and cut off, once with another guest beside it.
  await send({ CustomerId: 'cust-20733' }, 422);
  await sendBytes(gzipSync(JSON.stringify({ ...OTHER, Email: 'amelie.novak@example.com' }).slice(0, -20)), 400, 'gzip');
  await send({ guests: [{ Email: 'amelie.novak@example.com' }, { Email: 'jan@example.com' }] }, 422);
  await send(OTHER, 422);
  await service.drain();
  await store.create(
    `dead-letter/${PARTITION}/0.ndjson`,
    deadLetter({ guest: SPELLINGS[1] }) + deadLetter({ guest: OTHER }),
  );
  await store.create(
    `unreadable/${PARTITION}/0.ndjson`,
    '{"event_id":"1","email":"amelie.novak@example.com\n{"event_id":"2"\n',
  );
}, 120_000);

function deadLetter(body: object): string {
  return ndjson({
    message_id: 'm1',
    queue: 'reservation-events',
    attempts: 1,
    enqueued_at: '2026-03-01T09:00:00.000Z',
    dead_lettered_at: '2026-03-01T09:30:00.000Z',
    body_encoding: 'json',
    body: JSON.stringify(body),
  } satisfies DeadLetter);
}

function send(body: object, status = 202): Promise<void> {
  return sendBytes(Buffer.from(JSON.stringify(body)), status);
}

async function sendBytes(body: Buffer<ArrayBuffer>, status: number, encoding?: string): Promise<void> {
  const response = await fetch(service.endpoint, {
    method: 'POST',
    headers: {
      authentication: `Bearer ${service.token}`,
      ...(encoding !== undefined && { 'content-encoding': encoding }),
    },
    body,
  });
  const text = await response.text();
  if (response.status !== status) throw new Error(`Expected ${status}, got ${response.status} ${text}`);
}

/** Publishes what has landed, as if it were two hours later. */
async function publish(): Promise<void> {
  await service.drain();
  await runLocalCron(service.origin, 'publish');
}

function guests(...args: string[]): Promise<{ stdout: string; stderr: string }> {
  return run('guests', args, { env: bucketOf(service) });
}

/** How many lines a search finds in each place. */
async function countsOf(...args: string[]): Promise<Record<string, number>> {
  const options = readGuestsOptions(['find', ...args]);
  if (options.command !== 'find') throw new Error('Not a search');
  const { hits } = await search(store, options, new AbortController().signal, () => {});
  return Object.fromEntries(
    Array.from(
      Map.groupBy(hits, ({ place }) => place),
      ([place, { length }]) => [place, length],
    ),
  );
}

describe('guests find', () => {
  test('counts every line of a guest in every place, however the guest is spelled', async () => {
    const { stdout } = await guests('find', ...GUEST, ...NAME);
    expect(stdout).toMatch(
      /^events\/ +1 +4 +.*customer_id.*\nlanding\/ +1 +1 .*\nunreadable\/ +1 +1 .*gone on \d{4}-\d\d-\d\d at the latest/m,
    );
    expect(await countsOf(...GUEST, ...NAME)).toEqual({
      events: 4,
      landing: 1,
      rejected: 3,
      'dead-letter': 1,
      unreadable: 1,
    });
  });

  test('finds by one identifier what has that one', async () => {
    expect(await countsOf('--phone', '602 123 456')).toEqual({ events: 1 });
    expect(await countsOf(...NAME)).toEqual({ events: 1 });
    // The refused body does not say of which hotel it is.
    expect(await countsOf(...ID)).toEqual({ events: 1, landing: 1, rejected: 1 });
    const elsewhere = ['--integration-id', SMALL_EVENT.IntegrationId, '--property-id', 'another'];
    expect(await countsOf('--customer-id', 'cust-20733', ...elsewhere)).toEqual({ rejected: 1 });
    expect(await countsOf('--email', 'nobody@example.com')).toEqual({});
  });

  test('reads only the hours of the range, and says how much before it starts', async () => {
    const { stderr } = await guests('find', ...GUEST, '--to', '2026-03-02');
    expect(stderr).toMatch(/^Reads 2 object\(s\), \d+ bytes\n/);
    expect(await countsOf(...GUEST, '--from', '2026-03-01T09:00Z', '--to', '2026-03-01T10:00Z')).toEqual({
      'dead-letter': 1,
      unreadable: 1,
    });
  });

  test('goes on from its checkpoint, which holds no value', async () => {
    const file = join(folder, 'checkpoint');
    const whole = await countsOf(...GUEST, '--checkpoint', file);
    const kept = await readFile(file, 'utf8');
    for (const mark of MARKS) expect(kept.toLowerCase()).not.toContain(mark.toLowerCase());
    // As if it had been killed after three objects.
    const database = new DatabaseSync(file);
    database.exec('DELETE FROM searched WHERE key NOT IN (SELECT key FROM searched LIMIT 3)');
    database.close();
    const { stderr } = await guests('find', ...GUEST, '--checkpoint', file);
    expect(stderr).toContain('; 3 were searched earlier');
    expect(await countsOf(...GUEST, '--checkpoint', file)).toEqual(whole);
    await expect(countsOf('--email', 'jan@example.com', '--checkpoint', file)).rejects.toThrow(
      'it belongs to another search; name another file, or delete it',
    );
  });

  test('exports what is kept of the guest and of nobody else, for its owner’s eyes', async () => {
    const to = join(folder, 'copy');
    const { stdout } = await guests('find', ...GUEST, ...NAME, '--export', to);
    expect(stdout).toMatch(/5 event\(s\) and \d other record\(s\)/);
    const json = await readFile(join(to, 'guest.json'), 'utf8');
    const page = await readFile(join(to, 'guest.html'), 'utf8');
    const decide = await readFile(join(to, 'decide.json'), 'utf8');
    const copy: { events: Record<string, unknown>[] } = JSON.parse(json);
    expect(copy.events.map(({ reservation_id }) => reservation_id)).toEqual([
      'res-1',
      'res-1',
      'res-1',
      'res-1',
      'res-2',
    ]);
    expect(page).toContain('uses a wheelchair');
    expect(page).toContain('Reservation res-2');
    expect(json + page).not.toMatch(/jan@example|Dvořák/);
    // The other guest in the list, and the packed body that cannot be taken apart.
    expect(decide).toContain('jan@example.com');
    expect(decide).toContain('Dvořák');
    expect(stdout).toContain('only in decide.json');
    expect((await stat(to)).mode & 0o777).toBe(0o700);
    for (const name of ['guest.json', 'guest.html', 'decide.json'])
      expect((await stat(join(to, name))).mode & 0o777).toBe(0o600);
  });
});

describe('guests erase', () => {
  test('does nothing where nobody agrees', async () => {
    const { stdout } = await guests('erase', ...GUEST);
    expect(stdout).toContain('add --yes to carry the plan out');
    expect(stdout).toMatch(/^hotel +reservation +guest +stay/m);
    expect(stdout).toMatch(
      new RegExp(`^${SMALL_EVENT.IntegrationId} / ${SMALL_EVENT.PropertyId} +res-2 +Amélie Novák`, 'm'),
    );
    expect(await Array.fromAsync(store.list('erasures/'))).toEqual([]);
  });

  test('names a line that is cut off, and shows nothing of it', async () => {
    const eventId = '019ca8b4-2000-7000-8000-000000000009';
    const key = `landing/${PARTITION}/${eventId}.ndjson`;
    await store.create(key, `{"event_id":"${eventId}","last_name":"Quill","email":"cut@example.com`);
    const { code, stdout, stderr } = await guests('erase', '--email', 'cut@example.com').catch((error) => error);
    await store.delete(key);
    expect(stderr).toContain(`Cannot show whose row line 1 of ${key} is: it is cut off`);
    expect([code, `${stdout}${stderr}`.includes('Quill')]).toEqual([1, false]);
  });

  test('leaves nothing of the guest in what is published, and a reader who pulls meanwhile has each event once', async () => {
    const copy = join(folder, 'pulled');
    const before = await rowsIn(copy);
    const others = before.filter((line) => line.includes('jan@example.com'));
    expect(before.length).toBeGreaterThan(others.length);

    let isDone = false;
    const erasing = guests('erase', ...GUEST, ...NAME, '--yes').finally(() => {
      isDone = true;
    });
    // Without its own complaint when the erasure has failed, which is told below.
    erasing.catch(() => {});
    while (!isDone) {
      const ids = idsOf(await rowsIn(copy));
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids).toEqual(expect.arrayContaining(idsOf(before)));
    }
    const { stdout } = await erasing;
    const id = /Erasure ([\da-f-]{36}) is requested/.exec(stdout)?.[1] ?? '';
    expect(stdout).toMatch(/\d row\(s\) in \d part\(s\) are erased/);

    // These are gone by themselves.
    expect(await countsOf(...GUEST, ...NAME)).toEqual({ rejected: 3, 'dead-letter': 1, unreadable: 1 });
    // Of the stays, which have their number still, only the rows of the other guest count.
    expect(await countsOf('--reservation-id', 'res-1', '--reservation-id', 'res-2', ...HOTEL)).toEqual({ events: 2 });
    for (const [key, text] of await everything()) {
      if (NOT_EDITED.test(key)) continue;
      for (const mark of MARKS) expect([key, text.toLowerCase().includes(mark.toLowerCase())]).toEqual([key, false]);
    }
    // The copy follows, and the other guest's rows are as they were.
    const after = await rowsIn(copy);
    expect(after.join('')).not.toMatch(/novak|Novák|wheelchair/i);
    expect(after).toEqual(expect.arrayContaining(others));
    for (const reader of [createFolderStore(copy), store]) {
      const { findings } = await verify(reader, { range: {}, settledBefore: new Date() }, NEVER);
      expect(findings).toEqual([]);
    }

    const record: { finished_at: string | null; parts: object[] } = JSON.parse((await guests('show', id)).stdout);
    expect(record.finished_at).not.toBeNull();
    expect((await guests('list')).stdout).toContain(`${id}  `);
  }, 300_000);

  test('does not erase the guest who books again', async () => {
    await send({ ...SMALL_EVENT, ReservationId: 'res-3', ...SPELLINGS[0] });
    await publish();
    expect(await countsOf(...GUEST, '--from', new Date(Date.now() - 3_600_000).toISOString())).toMatchObject({
      events: 1,
    });
  });

  test('says that the service goes on, when it is interrupted', async () => {
    const child = spawn(process.execPath, [pathOf('guests'), 'erase', '--email', 'nobody@example.com', '--yes'], {
      env: { ...process.env, ...bucketOf(service) },
    });
    let [output, errors] = ['', ''];
    child.stdout.on('data', (chunk) => {
      output += chunk;
      if (output.includes('is requested')) child.kill('SIGINT');
    });
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    const [code] = await once(child, 'close');
    const id = /Erasure ([\da-f-]{36}) is requested/.exec(output)?.[1];
    expect(errors).toContain(`The service continues the erasure. To see its progress: npm run guests -- show ${id}`);
    expect(code).toBe(130);
  });
});

const NEVER = new AbortController().signal;

/** The lines of the published events, in a copy that is brought up to date first. */
async function rowsIn(copy: string): Promise<string[]> {
  const { files } = await pull(store, copy, {}, NEVER);
  const bodies = await Promise.all(files.map((file) => readFile(file)));
  return bodies.flatMap((body) =>
    gunzipSync(body)
      .toString()
      .split(/(?<=\n)/),
  );
}

function idsOf(lines: readonly string[]): string[] {
  return lines.map((line) => line.slice('{"event_id":"'.length).slice(0, 36)).sort();
}

/** Every object of the bucket as text: unpacked, and with what is Base64 in it decoded and unpacked too. */
async function everything(): Promise<[string, string][]> {
  const objects = await Array.fromAsync(store.list(''));
  return Promise.all(
    objects.map(async ({ key }): Promise<[string, string]> => {
      const body = Buffer.from((await store.get(key)) ?? []);
      const text = (key.endsWith('.gz') ? gunzipSync(body) : body).toString();
      const decoded = Array.from(text.matchAll(/[\w+/]{24,}={0,2}/g), ([base64]) => {
        const bytes = Buffer.from(base64, 'base64');
        return (bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString();
      });
      return [key, key + text + decoded.join('\n')];
    }),
  );
}
