/** An answer on the page. */

import type { Answer, Finding } from './answer.ts';
import { addCopyButtons } from './copy.ts';
import { element } from './element.ts';

/** Where an answer is shown. */
export interface Places {
  /** Is read out when it changes, so it holds a sentence and no more. */
  readonly status: HTMLElement;
  readonly details: HTMLElement;
}

/**
 * Shows an answer.
 *
 * @param raw - The answer as it came.
 * @param goTo - Called with the member of the body that somebody wants to see.
 */
export function showAnswer(
  { status, details }: Places,
  answer: Answer,
  raw: string,
  goTo: (member: string) => void,
): void {
  const { tone, headline, detail, findings, explanation, row } = answer;
  const line = element('p', { class: `verdict-line ${tone}` }, element('b', {}, String(answer.status)), headline);
  status.replaceChildren(line, element('p', {}, detail));
  details.replaceChildren(
    ...(explanation === undefined
      ? []
      : [element('p', {}, element('a', { href: explanation }, 'What this means, and what to do'))]),
    ...(findings.length === 0
      ? []
      : [element('ul', { class: 'findings' }, ...findings.map((one) => finding(one, goTo)))]),
    ...(row === undefined ? [] : [rowTable(row)]),
    rawAnswer(raw),
  );
  addCopyButtons(details);
}

/** Shows that there is no answer. */
export function showFailure({ status, details }: Places, headline: string, detail: string): void {
  const line = element('p', { class: 'verdict-line bad' }, element('b', {}, '–'), headline);
  status.replaceChildren(line, element('p', {}, detail));
  details.replaceChildren();
}

function finding({ field, member, code, text }: Finding, goTo: (member: string) => void): HTMLElement {
  const item = element('li');
  if (code !== undefined) item.append(element('code', { class: 'code-name' }, code));
  if (field !== undefined && member !== undefined) {
    const jump = element('button', { type: 'button' }, field);
    jump.addEventListener('click', () => goTo(member));
    item.append(jump);
  }
  item.append(element('p', {}, text));
  return item;
}

function rowTable(row: Readonly<Record<string, unknown>>): HTMLElement {
  const rows = Object.entries(row).map(([column, value]) =>
    element(
      'tr',
      {},
      element('th', { scope: 'row' }, element('code', {}, column)),
      element('td', { class: value === null ? 'null' : '' }, element('code', {}, JSON.stringify(value))),
    ),
  );
  const table = element('table', {}, element('caption', { class: 'hidden' }, 'The row'), element('tbody', {}, ...rows));
  return element('div', { class: 'row', tabindex: '0', role: 'region', 'aria-label': 'The row' }, table);
}

function rawAnswer(raw: string): HTMLElement {
  const block = element(
    'pre',
    { tabindex: '0', role: 'region', 'aria-label': 'The answer as it came' },
    element('code', {}, raw),
  );
  return element(
    'details',
    {},
    element('summary', {}, 'The answer as it came'),
    element('div', { class: 'code' }, block),
  );
}
