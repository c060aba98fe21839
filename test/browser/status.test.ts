/** The status page, against the running service. */

import { beforeAll, describe, expect, test, vi } from 'vitest';
import { runLocalCron } from '../../src/cli/local-crons.ts';
import type { ByHour, Status } from '../../src/status/answer.ts';
import { expectGood, NARROW, SITUATIONS, setUp } from './visit.ts';

const TOKENS = {
  'hotel-a': 'a-token-of-hotel-a-for-the-browser-tests',
  'hotel-b': 'a-token-of-hotel-b-for-the-browser-tests',
  ops: 'a-token-of-an-operator-for-the-browser-tests',
} as const;

const { service, visit } = setUp({
  API_TOKENS: JSON.stringify({
    'hotel-a': { tokens: [TOKENS['hotel-a']] },
    'hotel-b': { tokens: [TOKENS['hotel-b']] },
    ops: { tokens: [TOKENS.ops], role: 'operator' },
  }),
});

const EVENT = {
  IntegrationId: 'int-1',
  PropertyId: 'hotel-1',
  EventType: 'ReservationConfirmed',
  ReservationState: 'Confirmed',
  AssignedResourceNumber: '101',
  StartUtc: '2026-07-10T14:00:00Z',
  EndUtc: '2026-07-14T10:00:00Z',
};

const MISTAKES = [{ StartUtc: '2026-02-30' }, { EventType: 'Moved', PropertyId: null }, { ReservationState: 'Booked' }];

async function send(sender: keyof typeof TOKENS, change: object = {}): Promise<void> {
  const headers = { Authentication: `Bearer ${TOKENS[sender]}`, 'Content-Type': 'application/json' };
  await fetch(service().endpoint, { method: 'POST', headers, body: JSON.stringify({ ...EVENT, ...change }) });
}

async function statusOf(sender: keyof typeof TOKENS): Promise<Status> {
  const headers = { Authorization: `Bearer ${TOKENS[sender]}` };
  return (await fetch(`${service().origin}/status.json`, { headers })).json() as Promise<Status>;
}

const sum = (counts: ByHour | null | undefined) => counts?.reduce((total, count) => total + count, 0);

/** What the service has answered, so that the limit of questions is not reached. */
let statuses: Readonly<Record<'hotel-a' | 'ops', Status>>;

beforeAll(async () => {
  await Promise.all([
    ...Array.from({ length: 12 }, () => send('hotel-a')),
    ...Array.from({ length: 5 }, () => send('hotel-b')),
    ...MISTAKES.map((mistake) => send('hotel-a', mistake)),
    send('hotel-b', { EventType: null }),
  ]);
  await vi.waitFor(
    async () => {
      // The rate of questions is limited to ten a minute, which leaves enough for the tests.
      const { senders } = await statusOf('ops');
      expect(senders.map(({ accepted, refused }) => [sum(accepted), sum(refused)])).toEqual([
        [12, 3],
        [5, 1],
      ]);
    },
    { timeout: 30_000, interval: 4_000 },
  );
  // One run of the publisher, which leaves its record.
  await runLocalCron(service().origin, 'publish', Date.now());
  statuses = { 'hotel-a': await statusOf('hotel-a'), ops: await statusOf('ops') };
}, 60_000);

/** Opens the page with a token. With a status, it is shown in place of what the service answers. */
async function open(sender: keyof typeof TOKENS, options = {}, status?: Status) {
  const visited = await visit('/status', options);
  const { page } = visited;
  if (status !== undefined) await page.route('**/status.json', (route) => route.fulfill({ json: status }));
  await page.getByLabel('Token').fill(TOKENS[sender]);
  await page.getByRole('button', { name: 'Show' }).click();
  return visited;
}

/** Neither the bucket nor a queue has answered. An operator's answer has no senders then. */
function broken({ refused: _, reasons: __, ...status }: Status): Status {
  const { service: state } = status;
  return {
    ...status,
    refused: null,
    reasons: null,
    senders: status.operator ? [] : [{ sender: status.sender, accepted: null, refused: null }],
    incomplete: [
      'The bucket did not answer in time: it is not known what was accepted',
      'The bucket did not answer in time: it is not known what was refused',
    ],
    ...(state && {
      service: {
        ...state,
        published: null,
        failed: { queue: 'The queue does not answer', bucket: 'The bucket does not answer' },
        queues: state.queues.map(({ name }, at) => ({
          name,
          state: at === 0 ? null : { messages: 3, bytes: 4_100, oldest_at: status.as_of },
        })),
      },
    }),
  };
}

describe.each(SITUATIONS)('%s', (name, options) => {
  test.each([
    ['sender', 'hotel-a', (status: Status) => status],
    ['operator', 'ops', (status: Status) => status],
    ['sender-faults', 'hotel-a', broken],
    ['operator-faults', 'ops', broken],
  ] as const)('the page of a %s is quiet, fits and is accessible', async (kind, sender, change) => {
    const visited = await open(sender, options, change(statuses[sender]));
    await visited.page.getByRole('heading', { name: 'Why' }).waitFor();
    if (change === broken) {
      const figures = visited.page.locator('.figure').allTextContents();
      expect(await figures).toEqual(['not known Accepted', 'not known Refused']);
    }
    await expectGood(visited, `status-${kind}-${name}`);
  });
});

test('a sender sees what was refused and why, and nothing of another', async () => {
  const { page } = await open('hotel-a');
  const why = page.getByRole('region', { name: 'Why' });
  // The heads, and one row for all that broke the contract.
  await expect.poll(() => why.getByRole('row').count()).toBe(2);
  expect(await why.getByRole('listitem').count()).toBe(4);
  expect(await why.getByRole('row', { name: /StartUtc/ }).count()).toBe(1);
  expect(await page.getByRole('region', { name: 'Refused', exact: true }).textContent()).toContain('rejected/dt=');
  const text = await page.locator('main').textContent();
  for (const hidden of ['hotel-b', 'Moved', 'The service']) expect(text).not.toContain(hidden);
});

test('why stands first, hours without anything are left out, and a phone is not scrolled through', async () => {
  const { page } = await open('hotel-a', NARROW);
  await page.getByRole('heading', { name: 'Why' }).waitFor();
  expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual(['Why', 'hotel-a', 'Refused']);
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(3_000);
  await page.getByText('Hour by hour').click();
  const hours = page.getByRole('table', { name: 'Counts by the hour' });
  // All was sent within the two hours that the tests may have touched.
  expect(await hours.getByRole('row').count()).toBeLessThanOrEqual(3);
});

test('the token stays in the tab, out of addresses, and goes when it is told to', async () => {
  const { page, requests } = await open('hotel-a');
  await expect.poll(() => page.getByRole('heading', { name: 'hotel-a' }).count()).toBe(1);
  await page.reload();
  await expect.poll(() => page.getByRole('heading', { name: 'hotel-a' }).count()).toBe(1);
  expect(requests.filter((url) => url.includes(TOKENS['hotel-a']))).toEqual([]);
  expect(await page.evaluate(() => localStorage.length + document.cookie.length)).toBe(0);
  await page.getByRole('button', { name: 'Forget the token' }).click();
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  await page.reload();
  expect(await page.getByRole('status').textContent()).toContain('Enter a token');
});

test('a wrong token is told so', async () => {
  const { page } = await visit('/status');
  await page.getByLabel('Token').fill('wrong');
  await page.getByRole('button', { name: 'Show' }).click();
  await expect.poll(() => page.getByRole('status').textContent()).toContain('401 The token is missing or wrong');
});

test('the page says when the service does not answer', async () => {
  const { page } = await visit('/status');
  await page.route('**/status.json', (route) => route.abort());
  await page.getByLabel('Token').fill('any');
  await page.getByRole('button', { name: 'Show' }).click();
  await expect.poll(() => page.getByRole('status').textContent()).toContain('No answer');
});
