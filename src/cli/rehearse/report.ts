/** The answers as a page of docs/. Pure. */

import type { Assumption, Verdict } from './rehearsal.ts';

/** One row: what is assumed, and what became of the question. */
export interface Row extends Verdict {
  readonly says: string;
}

/** The verdict on a question that was not asked. */
export function notAsked(why: string): Verdict {
  return { answer: 'unknown', seen: why };
}

export function rowOf({ says }: Assumption, verdict: Verdict): Row {
  return { says, ...verdict };
}

/** Writes the page. @param where - What was asked, such as `an account, environment rehearsal`. */
export function report(rows: readonly Row[], where: string, day: string, events: number): string {
  const lines = rows.map(({ says, answer, seen }) => `| ${says} | **${answer}** | ${seen.replaceAll(/[|\n]/g, ' ')} |`);
  return `# Assumptions

What this service takes for granted of the platform, and what became of it when it was tried. \`npm run rehearse\` asks and
writes this page; on a machine of your own (\`--local\`) it cannot ask what only an account can answer, which stays unknown.
A **no** is to be read before anything is deployed for good.

Asked on ${day} of ${where}, with ${events.toLocaleString('en')} events.

| assumption | true? | what was seen |
| --- | --- | --- |
${lines.join('\n')}
`;
}
