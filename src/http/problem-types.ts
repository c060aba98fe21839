/** The problem types of all answers. Each has a page at `/problems/<slug>`, whose text is in src/site. */

/** A problem type (RFC 9457 section 3.1). */
interface ProblemType {
  readonly status: number;
  /** Equal for every refusal of this type. */
  readonly title: string;
}

/** Every type by its slug, the last part of the `type` URL. A slug never changes: programs identify problems by it. */
export const PROBLEM_TYPES = {
  'malformed-body': { status: 400, title: 'The body is not one JSON object' },
  'unclear-check': { status: 400, title: 'The address does not say whether to store the event' },
  unauthorized: { status: 401, title: 'The token is missing or wrong' },
  'https-required': { status: 403, title: 'The request came without TLS' },
  'forbidden-role': { status: 403, title: 'The token is for something else' },
  'forbidden-integration': { status: 403, title: 'The token may not send for this integration' },
  'not-found': { status: 404, title: 'There is nothing at this address' },
  'method-not-allowed': { status: 405, title: 'The method is not allowed' },
  'too-large': { status: 413, title: 'The event is too large' },
  'unsupported-encoding': { status: 415, title: 'The content encoding is not supported' },
  'unsupported-media-type': { status: 415, title: 'The body is not JSON' },
  'invalid-event': { status: 422, title: 'The event breaks the contract' },
  'too-many-requests': { status: 429, title: 'Too many requests' },
  unavailable: { status: 503, title: 'Events cannot be taken at the moment' },
} as const satisfies Readonly<Record<string, ProblemType>>;

export type ProblemSlug = keyof typeof PROBLEM_TYPES;
