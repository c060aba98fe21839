/** The pages at `/problems/<slug>`. Pure. */

import { PROBLEM_TYPES, type ProblemSlug } from '../../http/problem-types.ts';
import { toneOf } from '../badge.ts';
import { html, prose } from '../html.ts';
import { exampleProblem } from '../openapi/responses.ts';
import { EXPLANATIONS } from '../words/problems.ts';
import { named } from './answers.ts';
import { code } from './code.ts';
import type { Page } from './layout.ts';

/** The explanation of one problem type. */
export function problemPage(slug: ProblemSlug): Page {
  const { status, title } = PROBLEM_TYPES[slug];
  const { cause, remedy, kept } = EXPLANATIONS[slug];
  return {
    title: `${status}: ${title}`,
    description: cause,
    links: [
      ['/#answers', 'All answers'],
      ['/#try', 'Try it'],
    ],
    main: html`<article class="problem">
<p>${named(status)}</p>
<h1>${title}</h1>
<p class="lead">${prose(cause)}</p>
<dl class="facts">
<div><dt>Send it again?</dt><dd>${toneOf(status) === 'later' ? 'Yes, the same event, later' : 'Not as it is; the answer would be the same'}</dd></div>
<div><dt>The event</dt><dd>was not accepted</dd></div>
<div><dt>The body</dt><dd>${kept ? 'is kept for the operator, who can see what was wrong' : 'is not kept; keep it until you have a 202'}</dd></div>
</dl>
<h2>What to do</h2>
<ol>${remedy.map((step) => html`<li>${prose(step)}</li>`)}</ol>
<h2>What the answer looks like</h2>
${code(JSON.stringify(exampleProblem(slug), null, 2), 'json', 'An answer of this type')}
</article>`,
  };
}
