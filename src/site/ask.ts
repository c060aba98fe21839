/**
 * Asks the code of the service, so that no page has to assert what an answer would be: authentication, body and
 * contract, in the order of the service. The later steps, the line and the stores, answer to no mistake.
 */

import { normalise } from '../contract/normalise.ts';
import { PROBLEM_TYPES } from '../http/problem-types.ts';
import { decodeBody } from '../intake/decode-body.ts';
import { MAX_BODY_BYTES } from '../intake/limits.ts';
import { problemOf } from '../intake/problem.ts';
import { collect } from '../intake/read-body.ts';
import { readPayload } from '../intake/read-payload.ts';
import { authenticate } from '../senders/authenticate.ts';
import type { Mistake } from './words/mistakes.ts';

/** The answer to a request. */
export interface Asked {
  readonly status: number;
  /** What the service reports: texts of errors, or warnings. */
  readonly findings: readonly string[];
}

const TOKEN = 'a token that only this module knows';

const SENDER = { name: 'default', tokenNumber: 1, tokenDigest: '' };

/** One sender, without a rate limit. */
const SENDERS = {
  tokens: {
    size: 1,
    recognise: (token: string) => (token === TOKEN ? SENDER : undefined),
    find: async () => undefined,
  },
  tokenFaults: [],
  wrongTokenRate: undefined,
};

/** Builds the request of a mistake and runs it through the steps of the service. */
export async function ask({
  body,
  contentType,
  scheme,
}: Pick<Mistake, 'body' | 'contentType' | 'scheme'>): Promise<Asked> {
  const sender = await authenticate(new Headers({ Authorization: scheme + TOKEN }), SENDERS);
  if (!sender.ok) return refused(problemOf(sender.error));
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const collected = await collect(new Blob([bytes]).stream(), MAX_BODY_BYTES);
  const decoded = decodeBody({ encoding: '', ...collected }, MAX_BODY_BYTES);
  if (!decoded.ok) return refused(problemOf(decoded.error));
  const payload = await readPayload(decoded.value, () => contentType);
  if (!payload.ok) return refused(problemOf(payload.error));
  const event = normalise(payload.value.members, payload.value.repeated);
  return event.ok
    ? { status: 202, findings: event.value.warnings }
    : refused(problemOf({ reason: 'invalid_event', breach: event.error }));
}

/** A single error is shown as such; several have one cause, which the detail names. */
function refused({ slug, detail, errors = [] }: ReturnType<typeof problemOf>): Asked {
  const [error, ...more] = errors;
  return {
    status: PROBLEM_TYPES[slug].status,
    findings: [error === undefined || more.length > 0 ? detail : error.detail],
  };
}
