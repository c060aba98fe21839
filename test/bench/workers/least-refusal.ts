/** The least that a Worker can do and still refuse: the answers of ours, and the body on a queue when the token is right. */

import { respondWithProblem } from '../../../src/http/respond.ts';

interface Env {
  readonly API_TOKEN: string;
  readonly REJECTED: Queue<string>;
}

/** As the load of the benchmark breaks the contract; nothing is looked at here. */
const ERRORS = {
  errors: [{ field: 'EventType', pointer: '/EventType', code: 'not_allowed', detail: 'EventType is not allowed' }],
};

export default {
  async fetch(request, env) {
    const requestId = crypto.randomUUID();
    if (request.headers.get('Authentication') !== `Bearer ${env.API_TOKEN}`) {
      return respondWithProblem('unauthorized', 'Send a token', requestId, { 'WWW-Authenticate': 'Bearer' });
    }
    await env.REJECTED.send(await request.text(), { contentType: 'text' });
    return respondWithProblem('invalid-event', 'One required field cannot be used', requestId, {}, ERRORS);
  },
} satisfies ExportedHandler<Env>;
