/** A view of refused bodies. Pure. */

import type { View } from './view.ts';

export const REFUSALS: View = {
  name: 'refusals',
  answers: 'Refused bodies, each once however often its sender has tried it.',
  select: ({ schema, anyValue }) => `\
SELECT sender, body_fingerprint, status, problem, reason, ${anyValue('r.errors')} AS errors,
  COUNT(*) AS tries, MIN(rejected_at) AS first_rejected_at, MAX(rejected_at) AS last_rejected_at
FROM ${schema}rejections r
GROUP BY sender, body_fingerprint, status, problem, reason`,
};
