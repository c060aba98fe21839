/** What `verify` finds in a real bucket and in a copy of it: each damage by name, and nothing else. */

import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { pull } from '../../../src/cli/events/pull.ts';
import { type VerifyRequest, verify } from '../../../src/cli/events/verify.ts';
import type { LocalService } from '../../../src/cli/local-service.ts';
import { createObjectStore, type ObjectStore } from '../../../src/cli/object-store.ts';
import { eventsKey, logKey, WATERMARK_KEY } from '../../../src/storage/keys.ts';
import { sharedService } from '../../e2e/shared-service.ts';
import { bucketOf, run } from '../commands.ts';
import {
  clearPublished,
  idsIn,
  type MadePart,
  makePart,
  NEVER,
  NINE,
  publishParts,
  TEN,
  writeWatermark,
} from './publish.ts';

/** Everything is settled. */
const BUCKET: VerifyRequest = { range: {}, settledBefore: new Date('9999-01-01') };

let service: LocalService;
let folder: string;
let store: ObjectStore;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'events-test-'));
  service = await sharedService();
  store = createObjectStore(service.store);
});

afterAll(() => rm(folder, { recursive: true }));

/** Three parts: two of one hour, one of the next. */
function threeParts(): [MadePart, MadePart, MadePart] {
  const ids = idsIn(NINE, 40);
  return [makePart(1, NINE, ids.slice(0, 30)), makePart(2, NINE, ids.slice(30)), makePart(3, TEN, idsIn(TEN, 5))];
}

async function replaceObject(key: string, body: string | Uint8Array<ArrayBuffer>) {
  await store.delete(key);
  await store.create(key, body);
}

/** The part with other bytes, and an entry that agrees with them. */
function withBody({ entry }: MadePart, text: string): Pick<MadePart, 'entry' | 'body'> {
  const body = gzipSync(text);
  const sha256 = createHash('sha256').update(body).digest('hex');
  return { entry: { ...entry, bytes: body.length, sha256 }, body };
}

async function rewrite(part: Pick<MadePart, 'entry' | 'body'>) {
  await replaceObject(part.entry.key, part.body);
  await replaceObject(logKey(part.entry.sequence), JSON.stringify(part.entry));
}

const textOf = ({ body }: MadePart) => gunzipSync(body).toString();
const sha256Of = (body: Uint8Array) => createHash('sha256').update(body).digest('hex');

/** Damages to the bucket, each with what is to be found; `%1` and `%2` are the keys of the first two parts. */
const DAMAGES: [string, (parts: [MadePart, MadePart, MadePart]) => Promise<string[]>][] = [
  ['nothing wrong', async () => []],
  [
    'a missing object',
    async ([one]) => {
      await store.delete(one.entry.key);
      return [`${one.entry.key}: missing (entry 1 of the log)`];
    },
  ],
  [
    'a changed byte that can still be decompressed',
    async ([one]) => {
      const body = Buffer.from(one.body);
      // The operating system in the header of gzip (RFC 1952 section 2.3), which no checksum covers.
      body.writeUInt8(body.readUInt8(9) ^ 0xff, 9);
      await replaceObject(one.entry.key, body);
      return [
        `${one.entry.key}: changed: SHA-256 is ${sha256Of(body)} instead of ${one.entry.sha256} (entry 1 of the log)`,
      ];
    },
  ],
  [
    'a changed byte that cannot be decompressed',
    async ([one]) => {
      const body = Buffer.from(one.body);
      body.writeUInt8(body.readUInt8(body.length - 6) ^ 0x01, body.length - 6);
      await replaceObject(one.entry.key, body);
      return [
        `${one.entry.key}: changed: SHA-256 is ${sha256Of(body)} instead of ${one.entry.sha256} (entry 1 of the log)`,
        `${one.entry.key}: cannot be decompressed: incorrect data check (entry 1 of the log)`,
      ];
    },
  ],
  [
    'a cut object',
    async ([one]) => {
      await replaceObject(one.entry.key, one.body.subarray(0, 200));
      return [
        `${one.entry.key}: 200 bytes instead of ${one.entry.bytes} (entry 1 of the log)`,
        `${one.entry.key}: cannot be decompressed: unexpected end of file (entry 1 of the log)`,
      ];
    },
  ],
  [
    'an event twice in one part',
    async ([one]) => {
      const text = textOf(one);
      const { entry, body } = withBody(one, text + (text.match(/^.*\n/)?.[0] ?? ''));
      await rewrite({ entry: { ...entry, rows: 31 }, body });
      return [
        `${entry.key}: 1 event_ids that occurred before, in it or an earlier part of its hour; the first is ${one.eventIds[0]} (entry 1 of the log)`,
      ];
    },
  ],
  [
    'events twice across parts',
    async ([one, two]) => {
      const { entry, body } = withBody(two, textOf(one) + textOf(two));
      const first_event_id = one.entry.first_event_id;
      await rewrite({ entry: { ...entry, rows: 40, first_event_id }, body });
      return [
        `${entry.key}: 30 event_ids that occurred before, in it or an earlier part of its hour; the first is ${first_event_id} (entry 2 of the log)`,
      ];
    },
  ],
  [
    'a gap in the log',
    async () => {
      await store.delete(logKey(2));
      return [
        'events/v1/_log/: entry 2 is missing, though there are later ones',
        expect.stringMatching(/^events\/.*: not in the log$/),
      ];
    },
  ],
  [
    'a log that begins late',
    async ([one, two]) => {
      await store.delete(logKey(1));
      await store.delete(logKey(2));
      await store.delete(one.entry.key);
      await store.delete(two.entry.key);
      return ['events/v1/_log/: entries 1 to 2 are missing, though there are later ones'];
    },
  ],
  [
    'a log that ends before what the watermark rests on',
    async () => {
      await writeWatermark(store, '2026-03-01T11:00:00.000Z', 4);
      return ['events/v1/_log/: it ends with entry 3, but the watermark refers to entry 4'];
    },
  ],
  [
    'a watermark that is none',
    async () => {
      await replaceObject(WATERMARK_KEY, '{"complete_through":1}');
      return [expect.stringMatching(/^events\/v1\/_watermark\.json: no watermark: /)];
    },
  ],
  [
    'an object that is no part at all',
    async () => {
      const key = eventsKey(NINE, v7());
      await store.create(key, 'notes');
      return [`${key}: not in the log`];
    },
  ],
  [
    'an entry that is none',
    async ([one]) => {
      await replaceObject(logKey(1), JSON.stringify({ ...one.entry, rows: -1 }));
      return [
        `${logKey(1)}: not an entry of the log: the value of rows cannot be used`,
        'events/v1/_log/: entry 1 is missing, though there are later ones',
        `${one.entry.key}: not in the log`,
      ];
    },
  ],
  [
    'an entry that is no JSON, of which nothing is shown',
    async ([one]) => {
      await replaceObject(logKey(1), 'amelie@example.com');
      return [
        `${logKey(1)}: not an entry of the log: it is not a JSON object`,
        'events/v1/_log/: entry 1 is missing, though there are later ones',
        `${one.entry.key}: not in the log`,
      ];
    },
  ],
  [
    'a row too few',
    async ([one]) => {
      await rewrite({ entry: { ...one.entry, rows: 31 }, body: one.body });
      return [`${one.entry.key}: 30 rows instead of 31 (entry 1 of the log)`];
    },
  ],
  [
    'event_ids outside the range of the entry',
    async ([one]) => {
      const [, second = ''] = one.eventIds;
      await rewrite({ entry: { ...one.entry, first_event_id: second }, body: one.body });
      const { first_event_id: first, last_event_id: last } = one.entry;
      return [
        `${one.entry.key}: event_ids from ${first} to ${last} instead of ${second} to ${last} (entry 1 of the log)`,
      ];
    },
  ],
  [
    'an event of another hour',
    async ([, two, three]) => {
      const { entry, body } = withBody(two, textOf(two) + textOf(three));
      await rewrite({ entry: { ...entry, rows: 15, last_event_id: three.entry.last_event_id }, body });
      return [`${entry.key}: 5 event_ids of another hour, the first is ${three.eventIds[0]} (entry 2 of the log)`];
    },
  ],
  [
    'lines that are not events',
    async ([one]) => {
      const { entry, body } = withBody(one, `${textOf(one)}{"other":1}\n`);
      await rewrite({ entry: { ...entry, rows: 31 }, body });
      return [`${entry.key}: 1 lines that are not events (entry 1 of the log)`];
    },
  ],
  [
    'an object that is not in the log',
    async ([one]) => {
      const key = eventsKey(NINE, v7());
      await store.create(key, one.body);
      return [`${key}: not in the log`];
    },
  ],
  [
    'a replaced object that is still there',
    async ([one]) => {
      const part = makePart(4, NINE, one.eventIds, { replaces: one.entry.key });
      await publishParts(store, [part]);
      return [`${one.entry.key}: still there, though entry 4 of the log replaced it by ${part.entry.key}`];
    },
  ],
];

describe('verify()', () => {
  beforeEach(() => clearPublished(store));

  test.each(DAMAGES)('finds %s', async (_, damage) => {
    const parts = threeParts();
    await publishParts(store, parts);
    const expected = await damage(parts);
    expect((await verify(store, BUCKET, NEVER)).findings).toEqual(expected);
  });

  test('says what it has looked at, and keeps to a range of hours', async () => {
    const parts = threeParts();
    await publishParts(store, parts);
    await store.delete(parts[0].entry.key);
    expect(await verify(store, BUCKET, NEVER)).toMatchObject({
      parts: 3,
      rows: 45,
      findings: [`${parts[0].entry.key}: missing (entry 1 of the log)`],
    });
    const ten = { from: new Date('2026-03-01T10:00:00Z') };
    expect(await verify(store, { ...BUCKET, range: ten }, NEVER)).toMatchObject({
      parts: 1,
      rows: 5,
      findings: [],
    });
  });

  test('leaves out what a publisher at work is about to log or to delete', async () => {
    const [one, two, three] = threeParts();
    await publishParts(store, [one, two, makePart(3, NINE, one.eventIds, { replaces: one.entry.key })]);
    await store.create(three.entry.key, three.body);
    const settled = (time: string) =>
      verify(store, { ...BUCKET, settledBefore: new Date(time) }, NEVER).then(({ findings }) => findings);
    expect(await settled('2026-03-01T12:00:00.000Z')).toEqual([]);
    expect(await settled('9999-01-01')).toHaveLength(2);
  });

  test('takes no part for missing that is replaced while it reads', async () => {
    const [one, two, three] = threeParts();
    await publishParts(store, [one, two, three]);
    const replacement = makePart(4, NINE, one.eventIds, { replaces: one.entry.key });
    const racing = {
      ...store,
      async get(key: string) {
        if (key === one.entry.key) {
          await publishParts(store, [replacement]);
          await store.delete(key);
        }
        return store.get(key);
      },
    };
    expect((await verify(racing, BUCKET, NEVER)).findings).toEqual([]);
  });

  test('ends when it is interrupted', async () => {
    await publishParts(store, threeParts());
    const reason = new Error('Interrupted');
    await expect(verify(store, BUCKET, AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});

describe('npm run events -- verify', () => {
  beforeEach(() => clearPublished(store));

  const verifying = (...args: string[]) => run('events', ['verify', ...args], { env: bucketOf(service) });

  test('ends with 0 when all is right and with 1 when something is not, for the bucket and for a copy', async () => {
    const parts = threeParts();
    await publishParts(store, parts);
    const copy = join(folder, 'copy');
    await pull(store, copy, {}, NEVER);
    expect((await verifying()).stderr).toContain('3 parts, 45 rows, 0 findings');

    await store.delete(parts[1].entry.key);
    const missing = `${parts[1].entry.key}: missing (entry 2 of the log)\n`;
    await expect(verifying()).rejects.toMatchObject({ code: 1, stdout: missing });

    expect((await verifying(copy)).stderr).toContain('3 parts, 45 rows, 0 findings');
    await writeFile(join(copy, parts[0].entry.key), parts[2].body);
    await rm(join(copy, parts[2].entry.key));
    await expect(verifying(copy)).rejects.toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/hour=09\/.*bytes instead of[\s\S]*hour=10\/.*: missing/),
    });
  });

  test('ends with 1 where there is nothing to verify, and says what is missing', async () => {
    await writeFile(join(folder, 'file'), '');
    await mkdir(join(folder, 'empty'));
    for (const [args, message] of [
      [[join(folder, 'nowhere')], 'nowhere: there is no such folder'],
      [[join(folder, 'file')], 'file: there is no such folder'],
      [[join(folder, 'empty')], 'Cannot verify what is not there: events/v1/_log/ has no entry'],
      [[], 'Cannot verify what is not there: events/v1/_log/ has no entry'],
    ] as const) {
      await expect(verifying(...args)).rejects.toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringContaining(message),
      });
    }
  });
});
