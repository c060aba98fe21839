/** Requests to a bucket that misbehaves: a real server on this machine that answers as each test says. */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { copyLanded } from '../../src/cli/events/query-files.ts';
import { createObjectStore, type ObjectStore } from '../../src/cli/object-store.ts';
import { listen } from './listen.ts';

const KEY = 'landing/dt=2026-03-01/hour=09/019ca8b4-2000-7000-8000-000000000001.ndjson';

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** Opens a bucket that gives these answers one after the other, the last one again and again. */
async function bucketThat(...answers: ((request: IncomingMessage, response: ServerResponse) => void)[]) {
  const requests: IncomingMessage[] = [];
  const controller = new AbortController();
  server = createServer((request, response) => {
    requests.push(request);
    const answer = answers[Math.min(requests.length, answers.length) - 1];
    answer?.(request, response);
  });
  const location = { url: `${await listen(server)}/bucket`, accessKeyId: 'a', secretAccessKey: 'b' };
  const store: ObjectStore = createObjectStore(location, controller.signal);
  return { store, requests, controller };
}

const status =
  (code: number, body = '') =>
  (_: IncomingMessage, response: ServerResponse) => {
    response.writeHead(code, { 'retry-after': '0' }).end(body);
  };

/** Says that there are 10 bytes, sends some, and breaks the connection. */
const breakOff = (sent: string) => (_: IncomingMessage, response: ServerResponse) => {
  response.writeHead(200, { 'content-length': '10', etag: '"x"' });
  response.write(sent, () => response.socket?.destroy());
};

const textOf = async (body: Promise<Uint8Array | undefined>) => new TextDecoder().decode(await body);

test('`get()` tries again after 503 and 429', async () => {
  const { store, requests } = await bucketThat(status(503), status(429), status(200, 'whole'));
  expect(await textOf(store.get(KEY))).toBe('whole');
  expect(requests).toHaveLength(3);
});

test('`get()` does not try again what is refused, and says how', async () => {
  const { store, requests } = await bucketThat(
    status(403, '<Error><Code>AccessDenied</Code><Message>No.</Message></Error>'),
  );
  await expect(store.get(KEY)).rejects.toThrow(
    /Cannot read .*: the bucket at .* answers 403 AccessDenied No; see that/,
  );
  expect(requests).toHaveLength(1);
});

test.each([
  [401, '', 'answers 401; see that R2_ACCESS_KEY_ID and R2_SECRET_ACCESS_KEY are'],
  [404, '<Error><Code>NoSuchBucket</Code><Message>None.</Message></Error>', 'None; see that R2_URL is right'],
  [404, 'page', 'answers 404 page; see that R2_URL is right'],
])('`list()` says what to do about a %i with the body "%s"', async (code, body, message) => {
  const { store } = await bucketThat(status(code, body));
  await expect(Array.fromAsync(store.list('landing/'))).rejects.toThrow(message);
});

test('`get()` asks for all of an object again when a connection breaks', async () => {
  const { store, requests } = await bucketThat(breakOff('0123'), status(200, '0123456789'));
  expect(await textOf(store.get(KEY))).toBe('0123456789');
  expect(requests[1]?.headers).toMatchObject({ 'accept-encoding': 'identity' });
});

test('`list()` tries again when a page breaks off', async () => {
  const page = `<ListBucketResult><Contents><Key>${KEY}</Key><Size>1</Size></Contents></ListBucketResult>`;
  const { store } = await bucketThat(breakOff('<List'), status(200, page));
  expect(await Array.fromAsync(store.list('landing/'))).toMatchObject([{ key: KEY, bytes: 1 }]);
});

test('`create()` does not write again when it is not known what became of the write', async () => {
  const { store, requests } = await bucketThat((_, response) => response.socket?.destroy());
  await expect(store.create(KEY, 'x')).rejects.toThrow('does not answer');
  expect(requests).toHaveLength(1);
});

test('`createObjectStore()` ends a request under way when it is interrupted', async () => {
  const reason = new Error('Interrupted');
  const { store, controller } = await bucketThat(() => controller.abort(reason));
  await expect(store.get(KEY)).rejects.toBe(reason);
});

test('`createObjectStore()` says at once that nobody answers', async () => {
  const { store } = await bucketThat();
  server?.close();
  await expect(store.get(KEY)).rejects.toThrow('does not answer; check its address');
});

test.each(['landing/dt=2026-03-01/hour=09/../../../evil.ndjson', 'landing/./dt=2026-03-01/hour=09/x.ndjson'])(
  '`copyLanded()` refuses the key %s before it asks for it',
  async (key) => {
    const page = `<ListBucketResult><Contents><Key>${key}</Key><Size>1</Size></Contents></ListBucketResult>`;
    const { store, requests } = await bucketThat(status(200, page));
    await expect(store.get(key)).rejects.toThrow('in a key mean another one');
    await expect(copyLanded(store, '/nowhere', {}, new AbortController().signal)).rejects.toThrow(
      'the key is not a path below a folder',
    );
    expect(requests.map(({ url }) => url)).toEqual([expect.stringContaining('list-type=2')]);
  },
);
