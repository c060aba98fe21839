/**
 * Serves the table over HTTP: the read-only part of the Iceberg REST catalog specification, at `/iceberg/v1/`. There is
 * one namespace with one table, so no list has a second page, and page tokens are ignored.
 */

import { type Config, type Env, loadConfig } from '../config.ts';
import { isOverRate } from '../http/rate-limit.ts';
import { commonHeaders, respond } from '../http/respond.ts';
import { pathOf } from '../http/route-by-path.ts';
import { authorize } from '../senders/authenticate.ts';
import { addressOf, readTable, tableVersionKey } from '../storage/iceberg/table.ts';
import { log, logError } from '../telemetry/log.ts';
import { type CatalogRefusal, refuseRequest } from './errors.ts';

export const CATALOG_PATH = '/iceberg/v1';

const NAMESPACE = 'reservations';
const TABLE = 'events';
const METRICS = `namespaces/${NAMESPACE}/tables/${TABLE}/metrics`;

/** The supported endpoints, as the specification spells them. Without this list a client would assume more. */
const ENDPOINTS = [
  'GET /v1/{prefix}/namespaces',
  'GET /v1/{prefix}/namespaces/{namespace}',
  'HEAD /v1/{prefix}/namespaces/{namespace}',
  'GET /v1/{prefix}/namespaces/{namespace}/tables',
  'GET /v1/{prefix}/namespaces/{namespace}/tables/{table}',
  'HEAD /v1/{prefix}/namespaces/{namespace}/tables/{table}',
  'POST /v1/{prefix}/namespaces/{namespace}/tables/{table}/metrics',
];

/** Answers a request to the catalog. Whatever happens, the answer conforms to the specification. */
export async function catalog(request: Request, env: Env): Promise<Response> {
  const requestId = crypto.randomUUID();
  try {
    const config = await loadConfig(env);
    const authorized = await authorize(request.headers, config, ['reader', 'operator']);
    const reader = authorized.ok ? authorized.value : undefined;
    const answer = authorized.ok
      ? await answerReader({ request, config, requestId }, authorized.value.name)
      : authorized.error.reason;
    const refusal = typeof answer === 'string' ? answer : undefined;
    const response = typeof answer === 'string' ? refuseRequest(answer, request.method, requestId) : answer;
    log('catalog', {
      request_id: requestId,
      reader: reader?.name,
      token: reader?.tokenNumber,
      method: request.method,
      status: response.status,
      refusal,
    });
    return response;
  } catch (error) {
    logError('catalog_broken', error, { request_id: requestId });
    return refuseRequest('broken', request.method, requestId);
  }
}

async function answerReader(asked: Asked, reader: string): Promise<Response | CatalogRefusal> {
  if (await isOverRate(asked.config.batchRate, reader)) return 'too_many_requests';
  const segments = segmentsOf(asked.request.url);
  return segments === undefined ? 'malformed_path' : answerPath(segments, asked);
}

/** The decoded path segments after {@link CATALOG_PATH}. Undefined when they are not valid percent-encoding. */
function segmentsOf(url: string): string[] | undefined {
  try {
    return pathOf(url).slice(CATALOG_PATH.length).split('/').slice(1).map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

interface Asked {
  readonly request: Request;
  readonly config: Config;
  readonly requestId: string;
}

async function answerPath(segments: readonly string[], asked: Asked): Promise<Response | CatalogRefusal> {
  const { method, url } = asked.request;
  const [root, namespace, kind, table, ...more] = segments;
  // Clients report metrics of their scans. They are ignored, since refusing them would log errors at the client.
  if (method === 'POST' && segments.join('/') === METRICS) return empty(asked, 204);
  if (method !== 'GET' && method !== 'HEAD') return 'read_only';
  if (root === 'config' && segments.length === 1)
    return json(asked, { defaults: {}, overrides: {}, endpoints: ENDPOINTS });
  if (root !== 'namespaces' || more.length > 0) return 'not_found';
  if (namespace === undefined) return listNamespaces(asked, new URL(url).searchParams.get('parent') ?? '');
  // A namespace of several levels, whose names are separated by U+001F, does not exist either.
  if (namespace !== NAMESPACE) return 'no_such_namespace';
  if (kind === undefined) return exists(asked) ?? json(asked, { namespace: [NAMESPACE], properties: {} });
  if (kind === 'views') return table === undefined ? json(asked, { identifiers: [] }) : 'no_such_view';
  if (kind !== 'tables') return 'not_found';
  return table === undefined ? listTables(asked) : loadTable(asked, table);
}

function listNamespaces(asked: Asked, parent: string): Response | CatalogRefusal {
  if (parent !== '' && parent !== NAMESPACE) return 'no_such_namespace';
  return json(asked, { namespaces: parent === '' ? [[NAMESPACE]] : [] });
}

async function listTables(asked: Asked): Promise<Response> {
  const isThere = (await readTable(asked.config.bucket)) !== undefined;
  return json(asked, { identifiers: isThere ? [{ namespace: [NAMESPACE], name: TABLE }] : [] });
}

async function loadTable(asked: Asked, name: string): Promise<Response | CatalogRefusal> {
  const { request, config } = asked;
  const current = name === TABLE ? await readTable(config.bucket) : undefined;
  if (current === undefined) return 'no_such_table';
  const { version, metadata } = current;
  const etag = `"v${version}"`;
  const known = request.headers
    .get('If-None-Match')
    ?.split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''));
  if (known?.includes(etag)) return empty(asked, 304, { etag });
  const result = {
    'metadata-location': addressOf(metadata, tableVersionKey(version)),
    metadata,
    config: objectAccess(request.url, config.s3Endpoint),
  };
  return exists(asked) ?? json(asked, result, { etag });
}

/**
 * The settings for reading the objects of the table, under the names that PyIceberg, Java and others share. Access keys
 * are left out: the holder of a token has its own keys for the bucket, or none.
 */
function objectAccess(url: string, endpoint: string | undefined): Record<string, string> {
  const { origin, hostname } = new URL(url);
  const address = endpoint === undefined ? undefined : URL.parse(endpoint);
  // In local development the port is chosen when the service starts.
  const isLocal = address?.hostname === 'localhost' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  // ClickHouse takes what follows the endpoint in a location for the key, and finds none without this slash.
  const withSlash = (text: string) => (text.endsWith('/') ? text : `${text}/`);
  return {
    ...(address && { 's3.endpoint': withSlash(isLocal ? origin + address.pathname : address.href) }),
    's3.path-style-access': 'true',
    's3.region': 'auto',
    'client.region': 'auto',
  };
}

/** The answer to a HEAD request. Undefined for any other method. */
function exists(asked: Asked): Response | undefined {
  return asked.request.method === 'HEAD' ? empty(asked, 204) : undefined;
}

function empty({ requestId }: Asked, status: number, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(null, { status, headers: { ...commonHeaders(requestId), ...headers } });
}

function json({ requestId }: Asked, body: object, headers: Readonly<Record<string, string>> = {}): Response {
  return respond(200, 'application/json', body, requestId, headers);
}
