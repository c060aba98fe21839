/** A refusal as an HTTP response. */

import { respondWithProblem } from '../http/respond-with-problem.ts';
import { problemOf, type Refused } from './problem.ts';
import type { Refusal } from './refusal.ts';

/** Puts a refusal into a response. */
export function answerRefusal(refusal: Refusal, refused: Refused, requestId: string): Response {
  const { slug, detail, headers, ...facts } = problemOf(refusal, refused);
  return respondWithProblem(slug, detail, requestId, headers, facts);
}
