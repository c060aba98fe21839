/** The editor: a text area above a copy of its text, which shows the findings of each line. */

import { type Html, html } from '../html.ts';
import type { Finding } from './answer.ts';
import { show } from './page.ts';

export interface Editor {
  text(): string;
  /** Replaces the text and removes all marks. */
  replace(text: string): void;
  /** Shows each finding on its line, or on the last line when its member does not exist. */
  mark(findings: readonly Finding[], isRefused: boolean): void;
  /** Moves to a member, or to the editor when the member does not exist. */
  goTo(member: string): void;
}

/** Builds the editor from a text area and the element below it. */
export function makeEditor(area: HTMLTextAreaElement, marks: HTMLElement, hint: HTMLElement): Editor {
  function clear(): void {
    marks.replaceChildren();
    area.removeAttribute('aria-invalid');
    const problem = syntaxProblem(area.value);
    hint.textContent = problem ?? 'One JSON object.';
    hint.classList.toggle('wrong', problem !== undefined);
  }

  const scroll = () => marks.scrollTo(area.scrollLeft, area.scrollTop);

  area.addEventListener('input', clear);
  area.addEventListener('scroll', scroll);

  return {
    text: () => area.value,
    replace(text) {
      area.value = text;
      area.scrollTop = 0;
      clear();
    },
    mark(findings, isRefused) {
      const last = lineAt(area.value, area.value.trimEnd().length);
      const byLine = Map.groupBy(findings, ({ line, member = '' }) => {
        const place = placeOf(area.value, member);
        return line ?? (place === undefined ? last : lineAt(area.value, place.start));
      });
      const lines = area.value.split('\n').map((line, at) => markedLine(line, byLine.get(at) ?? [], isRefused));
      show(marks, html`${lines}`);
      area.setAttribute('aria-invalid', String(isRefused && findings.length > 0));
      scroll();
    },
    goTo(member) {
      area.focus();
      const place = placeOf(area.value, member);
      if (place === undefined) return;
      area.setSelectionRange(place.start, place.end);
      const share = lineAt(area.value, place.start) / area.value.split('\n').length;
      area.scrollTop = share * area.scrollHeight - area.clientHeight / 3;
    },
  };
}

/** The position of a member name in a text that need not be valid JSON; the last one if it occurs several times. */
function placeOf(text: string, member: string): { readonly start: number; readonly end: number } | undefined {
  const name = JSON.stringify(member);
  const strings = [...text.matchAll(/("(?:[^"\\\n]|\\.)*")(\s*:)?/g)];
  const found = strings.findLast(([, string, colon]) => string === name && colon !== undefined);
  return found && { start: found.index, end: found.index + name.length };
}

/** The line of an offset, from 0. */
function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length - 1;
}

/** A line of the text, with the first clause of each finding, without the name that already stands before it. */
function markedLine(text: string, findings: readonly Finding[], isRefused: boolean): Html {
  const notes = findings.map((finding) => {
    const [clause = ''] = finding.text.split(/[.;:,] /, 1);
    return text.includes(`"${finding.field}"`) ? clause.replace(`${finding.field} `, '') : clause;
  });
  return findings.length === 0
    ? html`<span class="line">${text || ' '}</span>` // An empty line would have no height.
    : html`<span class="line ${isRefused ? 'bad' : 'later'}">${text}<span class="note">${notes.join(' · ')}</span></span>`;
}

/** Reports syntax errors during typing, long before the service would. */
function syntaxProblem(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? undefined
      : 'This is JSON, but not an object.';
  } catch (error) {
    return error instanceof SyntaxError ? `Not JSON yet: ${error.message}` : undefined;
  }
}
