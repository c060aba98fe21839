import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { loadConfig } from '../../src/config.ts';
import { notify } from '../../src/notify/notify.ts';
import { clockAt } from '../clock.ts';
import { bucketWith, outOfOrder } from '../stores.ts';

const START = Date.parse('2026-07-10T12:00:00.000Z');
const MINUTE = 60_000;
const WEBHOOK = 'https://chat.example/hook/secret-of-the-hook';

afterEach(async () => {
  vi.restoreAllMocks();
  await reset();
});

/** Posts that arrive; the answers come from `answer`. A server of its own stands in test/e2e/alarms.test.ts. */
function webhook(answer: () => Promise<Response> = async () => new Response('ok')): string[] {
  const posts: string[] = [];
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (_, init) => {
    posts.push(JSON.parse(String(init?.body)).text);
    return answer();
  });
  return posts;
}

const config = await loadConfig({ ...env, ALERT_WEBHOOK: WEBHOOK });
const stuck = { metrics: async () => ({ backlogCount: 1, backlogBytes: 9, oldestMessageTimestamp: new Date(1_000) }) };
const sick = { ...config, rejected: stuck } as typeof config;

const ringAt = (minute: number, using = sick) => notify(using, clockAt(START + minute * MINUTE));

describe('notify()', () => {
  test('posts once that an alarm is raised, and once that it is cleared', async () => {
    const posts = webhook();
    for (const minute of [0, 1, 2, 3]) await ringAt(minute);
    expect(posts).toEqual([expect.stringMatching(/^reservation-events:\nRAISED rejected: Refused bodies have waited/)]);
    for (const minute of [4, 5, 6]) await ringAt(minute, config);
    expect(posts.slice(1)).toEqual([expect.stringContaining('CLEARED rejected, after 5 minutes')]);
  });

  test('writes nothing while nothing changes', async () => {
    webhook();
    const put = vi.spyOn(env.BUCKET, 'put');
    await ringAt(0, config);
    await ringAt(1, config);
    expect(put).not.toHaveBeenCalled();
  });

  test('lets one of two runs post', async () => {
    const posts = webhook();
    await ringAt(0);
    await Promise.all([ringAt(1), ringAt(1), ringAt(1)]);
    await ringAt(2);
    expect(posts).toHaveLength(1);
  });

  test('leaves to another run what it is posting, and takes over when its claim is over', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const posts = webhook(() => promise.then(() => new Response('ok')));
    await ringAt(0);
    const slow = ringAt(1);
    await vi.waitFor(() => expect(posts).toHaveLength(1));
    await ringAt(1.2);
    expect(posts).toHaveLength(1);
    const next = ringAt(2);
    await vi.waitFor(() => expect(posts).toHaveLength(2));
    resolve();
    await Promise.all([slow, next]);
    await ringAt(3);
    expect(posts).toHaveLength(2);
  });

  test.each<[string, () => Promise<Response>]>([
    ['answers 500', async () => new Response('no', { status: 500 })],
    ['redirects', async () => new Response(null, { status: 302, headers: { location: 'https://elsewhere.example' } })],
    ['cannot be reached', () => Promise.reject(new TypeError(`Cannot reach ${WEBHOOK}`))],
  ])('posts again in the next minute when the webhook %s, and logs no secret', async (_, answer) => {
    const lines: string[] = [];
    vi.spyOn(console, 'error').mockImplementation((line) => lines.push(JSON.stringify(line)));
    const posts = webhook(answer);
    for (const minute of [0, 1, 2]) await ringAt(minute);
    expect(posts).toHaveLength(2);
    expect(lines.filter((line) => line.includes('alarm_not_posted'))).toHaveLength(2);
    expect(lines.join()).not.toContain('secret-of-the-hook');
    const later = webhook();
    await ringAt(3);
    await ringAt(4);
    expect(later).toHaveLength(1);
  });

  test('does nothing without a webhook', async () => {
    const posts = webhook();
    const get = vi.spyOn(env.BUCKET, 'get');
    await ringAt(0, { ...sick, alertWebhook: undefined });
    expect([posts, get.mock.calls]).toEqual([[], []]);
  });

  test('posts nothing when it cannot remember', async () => {
    const posts = webhook();
    await expect(ringAt(0, { ...sick, bucket: bucketWith({ get: outOfOrder }) })).rejects.toThrow('Internal Error');
    expect(posts).toEqual([]);
  });
});
