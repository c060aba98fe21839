/** Holding what the service says against what the OpenAPI document says. */

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { openApiDocument } from '../../../src/site/openapi/document.ts';

/** What is looked at of an answer. */
interface Answer {
  /** The method of the request. */
  readonly method: string;
  readonly status: number;
  /** By lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Response {
  readonly headers?: Readonly<Record<string, object>>;
  readonly content?: Readonly<Record<string, object>>;
}

const document = JSON.parse(JSON.stringify(openApiDocument('1.2.3'))) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: Record<string, Response> }>>>>;
};

// Keywords of OpenAPI beside those of JSON Schema are annotations.
const ajv = formats.default(new Ajv2020({ strict: false, allErrors: true })).addSchema(document, 'openapi');

/** Checks values against a schema of the document; finds nothing wrong, or says what. */
export function validatorOf(schema: string): (value: unknown) => string[] {
  return findings(ajv.getSchema(`openapi#/components/schemas/${schema}`));
}

/**
 * Checks an answer of the service: status, headers, media type and body. The answer to another method than those of
 * the document is looked for among those to a POST.
 *
 * @returns What the document does not foresee; nothing when all is well.
 */
export function undocumented({ method, status, headers, body }: Answer): string[] {
  const [path = '', operations = {}] = Object.entries(document.paths)[0] ?? [];
  const name = method.toLowerCase() in operations ? method.toLowerCase() : 'post';
  const response = operations[name]?.responses[status];
  if (response === undefined) return [`status ${status} is not in the document`];
  const missing = Object.keys(response.headers ?? {})
    .filter((header) => MANDATORY.includes(header) && headers[header.toLowerCase()] === undefined)
    .map((header) => `the header ${header} is missing`);
  if (response.content === undefined) return body === '' ? missing : [...missing, 'a body is not in the document'];
  const mediaType = headers['content-type'] ?? '';
  if (response.content[mediaType] === undefined)
    return [...missing, `the media type ${mediaType} is not in the document`];
  const steps = ['paths', path, name, 'responses', `${status}`, 'content', mediaType, 'schema'];
  const pointer = steps.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
  return [...missing, ...findings(ajv.getSchema(`openapi#/${pointer}`))(JSON.parse(body))];
}

/** The headers that every answer of a status carries, whichever type of problem it names. */
const MANDATORY = ['x-request-id', 'Retry-After', 'Allow', 'WWW-Authenticate'];

function findings(validate: ValidateFunction | undefined): (value: unknown) => string[] {
  if (validate === undefined) throw new Error('The document has no such schema');
  return (value) => {
    validate(value);
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };
}
