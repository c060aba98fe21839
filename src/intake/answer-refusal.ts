/** A refusal as an HTTP response. */

import { respondWithProblem } from '../http/respond-with-problem.ts';
import { problemOf } from './problem.ts';
import type { Refusal } from './refusal.ts';

/** Puts a refusal into a response. */
export function answerRefusal(refusal: Refusal, requestId: string): Response {
  const { slug, detail, headers, errors } = problemOf(refusal);
  return respondWithProblem(slug, detail, requestId, headers, errors);
}
