/**
 * A stand-in for the part of Cloudflare's API that the operator's tools meet, themselves or through the real wrangler. What
 * it answers, codes too, is what wrangler's own sources expect.
 */

import { createServer, type Server } from 'node:http';
import { listen } from './listen.ts';

interface Queue {
  readonly queue_id: string;
  readonly queue_name: string;
  readonly jurisdiction?: string;
  settings: { message_retention_period: number };
  /** The Workers that take its messages. */
  readonly consumers: { consumer_id: string; type: string; script: string }[];
}

/** A version: what was uploaded, and the secrets that are bound to it. */
export interface UploadedVersion {
  readonly id: string;
  readonly code: string;
  readonly tag?: string;
  readonly secrets: Readonly<Record<string, string>>;
}

/** A Worker: its versions, the oldest first, and which of them share the traffic, in per cent. */
interface Worker {
  readonly versions: UploadedVersion[];
  deployed: Readonly<Record<string, number>>;
}

/** What is in the account. */
export interface Account {
  readonly queues: Queue[];
  /** The rules of each bucket, by jurisdiction and name. */
  readonly buckets: Map<string, object[]>;
  worker: Worker | undefined;
  /** What was switched on in the dashboard. */
  readonly enabled: Set<'r2' | 'analytics' | 'subdomain'>;
  /** What was changed, as method and path. */
  readonly changes: string[];
}

interface Answer {
  readonly status: number;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** What stands in a request. */
interface Asked {
  readonly call: string;
  readonly query: URLSearchParams;
  readonly jurisdiction: string;
  readonly body: {
    readonly queue_name?: string;
    readonly jurisdiction?: string;
    readonly settings?: Queue['settings'];
    readonly script_name?: string;
    readonly name?: string;
    readonly rules?: object[];
    readonly env?: Readonly<Record<string, { readonly text: string }>>;
    readonly annotations?: { readonly 'workers/tag'?: string };
    readonly bindings?: readonly { readonly type: string; readonly name: string; readonly text?: string }[];
    readonly versions?: readonly { readonly version_id: string; readonly percentage: number }[];
  };
}

/** The token that the stand-in takes. */
const API_TOKEN = 'a-token-of-the-account';

/** An account with nothing in it. */
export function emptyAccount(): Account {
  return {
    queues: [],
    buckets: new Map(),
    worker: undefined,
    enabled: new Set(['r2', 'analytics', 'subdomain']),
    changes: [],
  };
}

/** What wrangler and the tools read from the environment, to meet the stand-in. */
export function environmentFor(url: string): Record<string, string> {
  return {
    CLOUDFLARE_API_BASE_URL: url,
    CLOUDFLARE_API_TOKEN: API_TOKEN,
    CLOUDFLARE_ACCOUNT_ID: '0'.repeat(32),
    WRANGLER_WRITE_LOGS: 'false',
    WRANGLER_SEND_METRICS: 'false',
  };
}

/** Serves the account on a free port of this machine. */
export async function serve(account: Account): Promise<{ url: string; server: Server }> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const call = `${request.method} ${pathname.replace(/^\/accounts\/[^/]+/, '')}`;
    const asked: Asked = {
      call,
      query: searchParams,
      jurisdiction: String(request.headers['cf-r2-jurisdiction'] ?? ''),
      body: await readBody(Buffer.concat(chunks), request.headers['content-type'] ?? ''),
    };
    const isKnown = request.headers.authorization === `Bearer ${API_TOKEN}`;
    if (isKnown && request.method !== 'GET') account.changes.push(call);
    const { status, result = null, error } = isKnown ? answer(account, asked) : UNAUTHENTICATED;
    const errors = error === undefined ? [] : [error];
    const info = Array.isArray(result) ? { result_info: { page: 1, per_page: 100, total_pages: 1 } } : {};
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ success: error === undefined, errors, messages: [], result, ...info }));
  });
  return { url: await listen(server), server };
}

/** JSON, or the metadata in the form with which a Worker is uploaded. */
async function readBody(bytes: Buffer<ArrayBuffer>, contentType: string): Promise<Asked['body']> {
  if (bytes.length === 0) return {};
  if (!contentType.startsWith('multipart/')) return JSON.parse(bytes.toString());
  const form = await new Response(bytes, { headers: { 'content-type': contentType } }).formData();
  return JSON.parse(String(form.get('metadata')));
}

const UNAUTHENTICATED: Answer = { status: 401, error: { code: 10000, message: 'Authentication error' } };

function answer(account: Account, asked: Asked): Answer {
  const { call } = asked;
  if (/ \/queues\b/.test(call)) return answerQueues(account, asked);
  if (/ \/r2\/buckets\b/.test(call)) return answerBuckets(account, asked);
  if (call === 'GET /workers/subdomain') {
    return account.enabled.has('subdomain')
      ? { status: 200, result: { subdomain: 'hotels' } }
      : { status: 404, error: { code: 10007, message: 'You do not have a workers.dev subdomain.' } };
  }
  if (call === 'GET /analytics_engine/sql') {
    return account.enabled.has('analytics')
      ? { status: 200, result: [] }
      : { status: 403, error: { code: 0, message: 'Forbidden' } };
  }
  if (/ \/workers\//.test(call)) return answerWorker(account, asked);
  return unknown(call);
}

function answerQueues({ queues }: Account, { call, query, body }: Asked): Answer {
  const found = queues.find(({ queue_id }) => call.includes(`/${queue_id}`));
  if (call === 'GET /queues') {
    return { status: 200, result: queues.filter(({ queue_name }) => queue_name === query.get('name')) };
  }
  if (call === 'POST /queues') {
    const queue: Queue = {
      queue_id: String(queues.length + 1).padStart(32, '0'),
      queue_name: body.queue_name ?? '',
      ...(body.jurisdiction !== undefined && { jurisdiction: body.jurisdiction }),
      settings: { message_retention_period: 345_600, ...body.settings },
      consumers: [],
    };
    queues.push(queue);
    return { status: 200, result: queue };
  }
  if (found === undefined) return unknown(call);
  if (call.startsWith('PATCH ')) {
    found.settings = { ...found.settings, ...body.settings };
    return { status: 200, result: found };
  }
  if (call.startsWith('POST ') && call.endsWith('/consumers')) {
    found.consumers.push({
      consumer_id: `${found.consumers.length + 1}`,
      type: 'worker',
      script: body.script_name ?? '',
    });
    return { status: 200, result: found.consumers.at(-1) };
  }
  if (call.startsWith('PUT ')) return { status: 200 };
  if (/^DELETE .*\/consumers\//.test(call)) {
    found.consumers.length = 0;
    return { status: 200 };
  }
  if (call.startsWith('DELETE ')) {
    queues.splice(queues.indexOf(found), 1);
    return { status: 200 };
  }
  return unknown(call);
}

function answerBuckets({ buckets, enabled }: Account, { call, jurisdiction, body }: Asked): Answer {
  if (!enabled.has('r2')) {
    return { status: 403, error: { code: 10042, message: 'Please enable R2 through the Cloudflare Dashboard.' } };
  }
  if (call === 'GET /r2/buckets') return { status: 200, result: { buckets: [] } };
  if (call === 'POST /r2/buckets') {
    buckets.set(`${jurisdiction}/${body.name}`, [DEFAULT_RULE]);
    return { status: 200, result: { name: body.name, location: 'WEUR', storage_class: 'Standard' } };
  }
  const [, name = ''] = /^(?:GET|PUT|DELETE) \/r2\/buckets\/([^/]+)/.exec(call) ?? [];
  const rules = buckets.get(`${jurisdiction}/${name}`);
  if (rules === undefined) {
    return { status: 404, error: { code: 10006, message: 'The specified bucket does not exist.' } };
  }
  if (call.startsWith('DELETE ')) buckets.delete(`${jurisdiction}/${name}`);
  if (!call.endsWith('/lifecycle')) return { status: 200, result: { name } };
  if (body.rules !== undefined) buckets.set(`${jurisdiction}/${name}`, body.rules);
  return { status: 200, result: { rules: buckets.get(`${jurisdiction}/${name}`) } };
}

/** What R2 gives to every new bucket. */
const DEFAULT_RULE = {
  id: 'Default Multipart Abort Rule',
  enabled: true,
  conditions: { prefix: '' },
  abortMultipartUploadsTransition: { condition: { type: 'Age', maxAge: 604_800 } },
};

/** What a secret holds at most, in bytes (Workers, Limits). */
const MAX_SECRET_BYTES = 5_120;

function answerWorker(account: Account, { call, body }: Asked): Answer {
  if (/^PUT \/workers\/scripts\/[^/]+$|^POST .*\/versions$/.test(call)) return upload(account, body);
  if (call.endsWith('/assets-upload-session'))
    return { status: 200, result: { buckets: [], jwt: 'nothing to upload' } };
  const { worker } = account;
  const latest = worker?.versions.at(-1);
  if (worker === undefined || latest === undefined) {
    return { status: 404, error: { code: 10007, message: 'This Worker does not exist on your account.' } };
  }
  const action = call.replace(/ \/workers\/(?:scripts|workers|services)\/[^/]+/, ' ');
  if (action === 'GET /secrets') return { status: 200, result: Object.keys(latest.secrets).map(asSecret) };
  if (action === 'GET /deployments') return { status: 200, result: { deployments: [deploymentOf(worker)] } };
  if (action === 'GET /versions') return { status: 200, result: { items: worker.versions.map(versionOf).reverse() } };
  if (action.startsWith('GET /versions/')) {
    const at = worker.versions.findIndex(({ id }) => action.endsWith(id));
    const version = worker.versions[at];
    return version === undefined ? unknown(call) : { status: 200, result: versionOf(version, at) };
  }
  if (action === 'PATCH /versions/latest') return addVersion(worker, latest, body);
  if (action === 'POST /deployments') {
    const shares = (body.versions ?? []).map(({ version_id, percentage }) => [version_id, percentage] as const);
    worker.deployed = Object.fromEntries(shares);
    return { status: 200, result: deploymentOf(worker) };
  }
  if (/^(PATCH \/script-settings|PUT \/schedules)$/.test(action)) return { status: 200, result: {} };
  const subdomain = { enabled: true, previews_enabled: false };
  if (action === 'POST /subdomain') return { status: 200, result: subdomain };
  if (action === 'GET ') {
    const default_environment = { environment: 'production', script: { last_deployed_from: 'wrangler' } };
    return { status: 200, result: { name: 'worker', subdomain, default_environment } };
  }
  if (action === 'DELETE ') {
    account.worker = undefined;
    return { status: 200 };
  }
  return unknown(call);
}

/** A further version, made from the latest as the API does it, whichever is deployed. */
function addVersion(
  worker: Worker,
  { code, secrets }: UploadedVersion,
  { env = {}, annotations }: Asked['body'],
): Answer {
  const texts = Object.entries(env).map(([name, { text }]) => [name, text] as const);
  const large = texts.find(([, text]) => Buffer.byteLength(text) > MAX_SECRET_BYTES);
  if (large !== undefined) {
    return { status: 400, error: { code: 10054, message: `Text binding ${large[0]} is larger than 5 kB` } };
  }
  const id = `00000000-0000-4000-8000-${String(worker.versions.length + 1).padStart(12, '0')}`;
  const tag = annotations?.['workers/tag'];
  const made = { id, code, ...(tag !== undefined && { tag }), secrets: { ...secrets, ...Object.fromEntries(texts) } };
  worker.versions.push(made);
  return { status: 200, result: { id } };
}

/** A version, which keeps the secrets of the one before. */
function upload(account: Account, body: Asked['body']): Answer {
  const worker = account.worker ?? { versions: [], deployed: {} };
  account.worker = worker;
  const before = worker.versions.at(-1)?.secrets ?? {};
  const given = (body.bindings ?? []).filter(({ type }) => type === 'secret_text');
  const env = Object.fromEntries(given.map(({ name, text = '' }) => [name, { text }]));
  const made = addVersion(worker, { id: '', code: 'uploaded', secrets: before }, { ...body, env });
  const version = worker.versions.at(-1);
  if (made.error !== undefined || version === undefined) return made;
  if (worker.versions.length === 1) worker.deployed = { [version.id]: 100 };
  return {
    status: 200,
    result: { ...versionOf(version, worker.versions.length - 1), deployment_id: version.id, startup_time_ms: 1 },
  };
}

function asSecret(name: string): object {
  return { name, type: 'secret_text' };
}

function versionOf({ id, code, tag, secrets }: UploadedVersion, at: number): object {
  return {
    id,
    number: at + 1,
    metadata: { created_on: `2026-11-27T22:00:${String(at).padStart(2, '0')}Z`, source: 'wrangler' },
    annotations: tag === undefined ? {} : { 'workers/tag': tag },
    resources: {
      script: { etag: code, handlers: ['fetch'] },
      script_runtime: { compatibility_date: '2026-11-01' },
      bindings: [{ type: 'queue', name: 'EVENTS' }, ...Object.keys(secrets).map(asSecret)],
    },
  };
}

function deploymentOf({ deployed }: Worker): object {
  const versions = Object.entries(deployed).map(([version_id, percentage]) => ({ version_id, percentage }));
  return { id: 'deployment', created_on: '2026-11-27T22:30:00Z', strategy: 'percentage', versions };
}

function unknown(call: string): Answer {
  return { status: 404, error: { code: 7003, message: `The stand-in does not know ${call}` } };
}
