/** The sections on answers and warnings. Pure. */

import { STATUS_CODES } from 'node:http';
import { PROBLEM_TYPES, type ProblemSlug } from '../../http/problem-types.ts';
import { badge, toneOf } from '../badge.ts';
import { type Content, type Html, html, prose } from '../html.ts';
import { exampleProblem } from '../openapi/responses.ts';
import { section } from '../section.ts';
import { table } from '../table.ts';
import { FIELD_ERROR_MEANINGS, WARNING_MEANINGS } from '../words/codes.ts';
import { EXPLANATIONS } from '../words/problems.ts';
import { RULES } from '../words/rules.ts';
import { code } from './code.ts';

/** The section that says what each answer means and what to do. */
export function answers(): Html {
  const slugs = Object.keys(PROBLEM_TYPES) as ProblemSlug[];
  return section(
    'answers',
    'The answers',
    html`<p>${prose(RULES.promise)}</p>
<p>A refusal is a <a href="https://www.rfc-editor.org/rfc/rfc9457" rel="noreferrer">problem</a> whose <code>type</code> is an address; open it and it explains itself. Nothing that you sent is repeated in a refusal.</p>`,
    html`${table(
      'Answers by status',
      ['Status', 'Meaning', 'Send again?'],
      [
        [named(202), 'The event is stored. Its id and any warnings are in the answer.', 'No'],
        [
          named(200),
          prose(
            'The event was only checked, because the address ends in `?check`. The row as it would be stored is in the answer.',
          ),
          'No',
        ],
        ...slugs.map(refusal),
      ],
    )}
<div class="columns">
<div><h3>Every fault at once</h3><p>A 422 lists all that is wrong: the <code>field</code>, its place in the body (<code>pointer</code>), a <code>code</code> for programs, a sentence for people and, where there are only a few, the <code>allowed</code> values.</p>
${codes('Codes of faults', FIELD_ERROR_MEANINGS)}</div>
${code(JSON.stringify(exampleProblem('invalid-event'), null, 2), 'json', 'A refusal of an event that breaks the contract')}
</div>`,
  );
}

/** A status and its name. */
export function named(status: number): Html {
  return html`${badge(status)} ${STATUS_CODES[status]}`;
}

function refusal(slug: ProblemSlug): Content[] {
  const { status, title } = PROBLEM_TYPES[slug];
  const meaning = html`<a href="/problems/${slug}">${title}</a><br>${prose(EXPLANATIONS[slug].cause)}`;
  return [named(status), meaning, toneOf(status) === 'later' ? 'Later, as it is' : 'Not as it is'];
}

/** The section that says what each warning means. */
export function warnings(): Html {
  return section(
    'warnings',
    'Warnings',
    html`<p>The event is stored, but something in it was odd. Each warning reads <code>column:code</code>, such as <code>start_utc:no_zone</code>; the column is the field in snake case. The codes of faults appear here too, on optional fields: the value was set aside, and nothing else was lost. Look at your warnings before you go live, and again once a month.</p>`,
    codes('Codes of warnings', WARNING_MEANINGS),
  );
}

function codes(caption: string, meanings: Readonly<Record<string, string>>): Html {
  const rows = Object.entries(meanings).map(([name, meaning]) => [
    html`<code>${name}</code>`,
    html`<span id="code-${name}">${prose(meaning)}</span>`,
  ]);
  return table(caption, ['Code', 'Meaning'], rows);
}
