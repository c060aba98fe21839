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

/** Extension members that some problems add to those of RFC 9457. */
interface ProblemFacts {
  readonly request_id?: string;
  readonly errors?: readonly object[];
  readonly unknown_fields?: readonly string[];
}

/**
 * Builds a problem details object (RFC 9457).
 *
 * @param detail - What is wrong with this request, and how to correct it.
 */
export function problemDetails(slug: ProblemSlug, detail: string, facts: ProblemFacts) {
  const { status, title } = PROBLEM_TYPES[slug];
  // A path, so that the type does not depend on the Host header (RFC 9457 section 3.1.1 allows it).
  return { type: `/problems/${slug}`, title, status, detail, ...facts };
}

export function respondWithProblem(
  slug: ProblemSlug,
  detail: string,
  requestId: string,
  headers: Readonly<Record<string, string>> = {},
  facts: ProblemFacts = {},
): Response {
  const problem = problemDetails(slug, detail, { request_id: requestId, ...facts });
  return respond(problem.status, 'application/problem+json', problem, requestId, headers);
}
