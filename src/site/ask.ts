/**
 * Asks the code of the service, so that no page has to assert what an answer would be: authentication, body and
 * contract, in the order of the service. The later steps, the line and the stores, answer to no mistake.
 */

import { PROBLEM_TYPES } from '../http/problem-types.ts';
import { checkPayload } from '../intake/build-event.ts';
import { decodeBody } from '../intake/decode-body.ts';
import { MAX_BODY_BYTES } from '../intake/limits.ts';
import { problemOf } from '../intake/problem.ts';
import { readBody } from '../intake/read-body.ts';
import { readPayload } from '../intake/read-payload.ts';
import type { Refusal } from '../intake/refusal.ts';
import { authenticate } from '../senders/authenticate.ts';
import { type Mistake, requestOf } from './words/mistakes.ts';

/** The answer to a request. */
export interface Asked {
  readonly status: number;
  /** What the service reports: texts of errors, or warnings. */
  readonly findings: readonly string[];
}

const TOKEN = 'a-token-that-only-this-module-knows';

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

/** Runs the request of a mistake through the steps of the service. */
export async function ask(mistake: Mistake): Promise<Asked> {
  const request = requestOf(mistake, 'https://intake.example', TOKEN);
  const sender = await authenticate(request.headers, SENDERS);
  if (!sender.ok) return refused(sender.error);
  const body = decodeBody(await readBody(request, MAX_BODY_BYTES), MAX_BODY_BYTES);
  if (!body.ok) return refused(body.error);
  const payload = readPayload(body.value, () => request.headers.get('Content-Type'));
  if (!payload.ok) return refused(payload.error);
  const event = checkPayload(payload.value, sender.value);
  return event.ok ? { status: 202, findings: event.value.warnings } : refused(event.error);
}

/** A single error is shown as such; several have one cause, which the detail names. */
function refused(refusal: Refusal): Asked {
  const { slug, detail, errors = [] } = problemOf(refusal);
  const [error, ...more] = errors;
  return {
    status: PROBLEM_TYPES[slug].status,
    findings: [error === undefined || more.length > 0 ? detail : error.detail],
  };
}
