/** A stand-in for the part of Cloudflare's API that provisioning meets, so that the real wrangler can be recorded. */

import { createServer, type Server } from 'node:http';

interface Account {
  readonly queues: Map<string, { queue_id: string; queue_name: string; settings: object }>;
  readonly buckets: Map<string, object[]>;
  /** The secrets of the Worker, or undefined before it is deployed. */
  secrets: object[] | undefined;
}

interface Answer {
  readonly status: number;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** An account with nothing in it. */
export function emptyAccount(): Account {
  return { queues: new Map(), buckets: new Map(), secrets: undefined };
}

/** Serves the account on a free port of this machine. */
export async function serve(account: Account): Promise<{ url: string; server: Server }> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const path = pathname.replace(/^\/accounts\/[^/]+/, '');
    const body = chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString());
    const { status, result = null, error } = answer(account, `${request.method} ${path}`, searchParams, body);
    const errors = error === undefined ? [] : [error];
    const info = Array.isArray(result) ? { result_info: { page: 1, per_page: 100, total_pages: 1 } } : {};
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ success: error === undefined, errors, messages: [], result, ...info }));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('Cannot find the port of the stand-in');
  return { url: `http://127.0.0.1:${address.port}`, server };
}

function answer(account: Account, call: string, query: URLSearchParams, body: Record<string, string>): Answer {
  const [, id = ''] = /\/(?:queues|buckets)\/([\w-]+)/.exec(call) ?? [];
  if (call === 'GET /queues') {
    const all = [...account.queues.values()];
    return { status: 200, result: all.filter(({ queue_name }) => queue_name === query.get('name')) };
  }
  if (call === 'POST /queues') return { status: 200, result: createQueue(account, body.queue_name ?? '') };
  if (/^PATCH \/queues\//.test(call)) return { status: 200, result: account.queues.get(id) };
  if (call === 'POST /r2/buckets') {
    account.buckets.set(body.name ?? '', [DEFAULT_RULE]);
    return { status: 200, result: { name: body.name, location: 'WEUR', storage_class: 'Standard' } };
  }
  if (/^(GET|PUT) \/r2\/buckets\/.+\/lifecycle$/.test(call)) return lifecycle(account, id, call, body);
  if (/^GET \/workers\/scripts\/.+\/secrets$/.test(call)) {
    const missing = { code: 10007, message: 'This Worker does not exist on your account.' };
    return account.secrets === undefined ? { status: 404, error: missing } : { status: 200, result: account.secrets };
  }
  return { status: 404, error: { code: 7003, message: `The stand-in does not know ${call}` } };
}

function createQueue({ queues }: Account, queue_name: string): object {
  const queue_id = String(queues.size + 1).padStart(32, '0');
  const queue = {
    queue_id,
    queue_name,
    created_on: '2026-11-27T22:00:00.000000Z',
    modified_on: '2026-11-27T22:00:00.000000Z',
    settings: { delivery_delay: 0, message_retention_period: 345_600 },
    producers: [],
    producers_total_count: 0,
    consumers: [],
    consumers_total_count: 0,
  };
  queues.set(queue_id, queue);
  return queue;
}

function lifecycle({ buckets }: Account, bucket: string, call: string, body: { rules?: unknown }): Answer {
  const rules = buckets.get(bucket);
  if (rules === undefined)
    return { status: 404, error: { code: 10006, message: 'The specified bucket does not exist.' } };
  if (call.startsWith('PUT') && Array.isArray(body.rules)) buckets.set(bucket, body.rules);
  return { status: 200, result: { rules: buckets.get(bucket) } };
}

/** What R2 gives to every new bucket. */
const DEFAULT_RULE = {
  id: 'Default Multipart Abort Rule',
  enabled: true,
  conditions: { prefix: '' },
  abortMultipartUploadsTransition: { condition: { type: 'Age', maxAge: 604_800 } },
};
