/** The answers and the warnings. Pure. */

import { STATUS_CODES } from 'node:http';
import { PROBLEM_TYPES, type ProblemSlug } from '../../http/problem-types.ts';
import { type Html, html, prose } from '../html.ts';
import { exampleProblem } from '../openapi/responses.ts';
import { FIELD_ERROR_MEANINGS, WARNING_MEANINGS } from '../words/codes.ts';
import { EXPLANATIONS } from '../words/problems.ts';
import { RULES } from '../words/rules.ts';
import { code } from './code.ts';

/** What each answer means, and what to do. */
export function answers(): Html {
  const slugs = Object.keys(PROBLEM_TYPES) as ProblemSlug[];
  return html`<section id="answers" aria-labelledby="answers-title">
<div class="intro">
<h2 id="answers-title">The answers</h2>
<p>${prose(RULES.promise)}</p>
<p>A refusal is a <a href="https://www.rfc-editor.org/rfc/rfc9457" rel="noreferrer">problem</a> whose <code>type</code> is an address; open it and it explains itself. Nothing that you sent is repeated in a refusal.</p>
</div>
<div class="table"><table class="answers">
<caption class="hidden">Answers by status</caption>
<thead><tr><th scope="col">Status</th><th scope="col">Meaning</th><th scope="col">Send again?</th></tr></thead>
<tbody>
<tr class="good"><th scope="row"><b>202</b> ${STATUS_CODES[202]}</th><td>The event is stored. Its id and any warnings are in the answer.</td><td>No</td></tr>
<tr class="good"><th scope="row"><b>200</b> ${STATUS_CODES[200]}</th><td>The event was only checked, because the address ends in <code>?check</code>. The row as it would be stored is in the answer.</td><td>No</td></tr>
${slugs.map(refusal)}</tbody>
</table></div>
<div class="pair">
<div class="words"><h3>Every fault at once</h3><p>A 422 lists all that is wrong: the <code>field</code>, its place in the body (<code>pointer</code>), a <code>code</code> for programs, a sentence for people and, where there are only a few, the <code>allowed</code> values.</p>
<dl class="codes">${Object.entries(FIELD_ERROR_MEANINGS).map(([name, meaning]) => definition(name, meaning))}</dl></div>
${code(JSON.stringify(exampleProblem('invalid-event'), null, 2), 'json', 'A refusal of an event that breaks the contract')}
</div>
</section>`;
}

function refusal(slug: ProblemSlug): Html {
  const { status, title } = PROBLEM_TYPES[slug];
  const { cause, retry } = EXPLANATIONS[slug];
  return html`<tr class="${retry === 'later' ? 'later' : 'bad'}"><th scope="row"><b>${status}</b> ${STATUS_CODES[status]}</th><td><a href="/problems/${slug}">${title}</a><br>${prose(cause)}</td><td>${retry === 'later' ? 'Later, as it is' : 'Not as it is'}</td></tr>
`;
}

/** What each warning means. */
export function warnings(): Html {
  return html`<section id="warnings" aria-labelledby="warnings-title">
<div class="intro">
<h2 id="warnings-title">Warnings</h2>
<p>The event is stored, but something in it was odd. Each warning reads <code>column:code</code>, such as <code>start_utc:no_zone</code>; the column is the field in snake case. The codes of faults appear here too, on optional fields: the value was set aside, and nothing else was lost. Look at your warnings before you go live, and again once a month.</p>
</div>
<dl class="codes wide">${Object.entries(WARNING_MEANINGS).map(([name, meaning]) => definition(name, meaning))}</dl>
</section>`;
}

function definition(name: string, meaning: string): Html {
  return html`<div id="code-${name}"><dt><code>${name}</code></dt><dd>${meaning}</dd></div>
`;
}
