/** What every response of the Worker has in common. */

import { PROBLEM_TYPES, type ProblemSlug } from './problem-types.ts';

export function commonHeaders(requestId: string): Record<string, string> {
  return { 'cache-control': 'no-store', 'x-request-id': requestId };
}

export function respond(
  status: number,
  contentType: string,
  body: object,
  requestId: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { ...commonHeaders(requestId), 'content-type': contentType, ...headers },
  });
}

/** Members that some types of problem have beside those of RFC 9457. */
interface ProblemFacts {
  readonly errors?: readonly object[];
  readonly unknownFields?: readonly string[];
}

/**
 * Makes a response of a problem (RFC 9457).
 *
 * @param detail - What is wrong with this request, and what to do about it.
 */
export function respondWithProblem(
  slug: ProblemSlug,
  detail: string,
  requestId: string,
  headers: Readonly<Record<string, string>> = {},
  { errors, unknownFields }: ProblemFacts = {},
): Response {
  const { status, title } = PROBLEM_TYPES[slug];
  // A path, so that the type does not depend on the Host header (RFC 9457 section 3.1.1 allows it).
  const problem = {
    type: `/problems/${slug}`,
    title,
    status,
    detail,
    request_id: requestId,
    ...(errors && { errors }),
    ...(unknownFields && { unknown_fields: unknownFields }),
  };
  return respond(status, 'application/problem+json', problem, requestId, headers);
}
