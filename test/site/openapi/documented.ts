/** Holding what the service says against what its OpenAPI document says. */

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

/** What is looked at of an answer. */
interface Answer {
  /** The method of the request. */
  readonly method: string;
  /** The path of the request; a slash at its end and a query are left aside. */
  readonly path: string;
  readonly status: number;
  /** By lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A document that can be asked. Each answer is a list of what is wrong, empty when all is well. */
interface Documentation {
  /** Checks a value against one of the schemas. */
  readonly breaches: (schema: string, value: unknown) => string[];
  /**
   * Checks an answer of the service: status, headers, media type and body. The answer to another method than those of
   * the document is looked for among those to a POST, that to another path among those of the first.
   */
  readonly undocumented: (answer: Answer) => string[];
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Record<string, Response> }>>>>;
}

interface Response {
  readonly headers?: Readonly<Record<string, object>>;
  readonly content?: Readonly<Record<string, object>>;
}

/** The headers that every answer of a status carries, whichever type of problem it names. */
const MANDATORY = ['x-request-id', 'Retry-After', 'Allow', 'WWW-Authenticate'];

/** Reads an OpenAPI 3.1 document. */
export function readDocument(text: string): Documentation {
  const document: Document = JSON.parse(text);
  // Keywords of OpenAPI beside those of JSON Schema are annotations.
  const ajv = formats.default(new Ajv2020({ strict: false, allErrors: true })).addSchema(closed(document), 'openapi');
  const [first = ''] = Object.keys(document.paths);
  return {
    breaches: (schema, value) => findings(ajv.getSchema(`openapi#/components/schemas/${schema}`), value),
    undocumented({ method, path: requested, status, headers, body }) {
      const known = requested.replace(/\/?(\?.*)?$/, '');
      const path = known in document.paths ? known : first;
      const operations = document.paths[path] ?? {};
      const name = method.toLowerCase() in operations ? method.toLowerCase() : 'post';
      const response = operations[name]?.responses[status];
      if (response === undefined) return [`status ${status} is not in the document`];
      const missing = Object.keys(response.headers ?? {})
        .filter((header) => MANDATORY.includes(header) && headers[header.toLowerCase()] === undefined)
        .map((header) => `the header ${header} is missing`)
        .concat(unnamed(response, headers));
      if (response.content === undefined) return body === '' ? missing : [...missing, 'a body is not in the document'];
      const mediaType = headers['content-type'] ?? '';
      if (response.content[mediaType] === undefined) return [...missing, `${mediaType} is not in the document`];
      const schema = pointer(['paths', path, name, 'responses', `${status}`, 'content', mediaType, 'schema']);
      return [...missing, ...findings(ajv.getSchema(`openapi#${schema}`), JSON.parse(body))];
    },
  };
}

/** Headers of the connection, and those that a document leaves to the media types (OpenAPI 3.1, Response Object). */
const TRANSPORT = ['connection', 'content-length', 'content-type', 'date', 'keep-alive', 'transfer-encoding'];

/** The headers of an answer that the document does not name. */
function unnamed(response: Response, headers: Answer['headers']): string[] {
  const named = Object.keys(response.headers ?? {}).map((name) => name.toLowerCase());
  return Object.keys(headers)
    .filter((name) => !TRANSPORT.includes(name) && !named.includes(name))
    .map((name) => `the header ${name} is not in the document`);
}

/** The same document without room for members that it does not name, so that none is forgotten. */
function closed(value: unknown): object {
  return JSON.parse(JSON.stringify(value), (_, part) =>
    part?.type === 'object' && part.properties !== undefined ? { additionalProperties: false, ...part } : part,
  );
}

/** A JSON Pointer in a fragment (RFC 6901 section 6). */
function pointer(steps: readonly string[]): string {
  return steps.map((step) => `/${encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');
}

function findings(validate: ValidateFunction | undefined, value: unknown): string[] {
  if (validate === undefined) throw new Error('The document has no such schema');
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
