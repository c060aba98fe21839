/** The sheet to write on: a text area above a copy of its text, which shows what is said of each line. */

import type { Finding } from './answer.ts';
import { element } from './element.ts';
import { membersOf, type Place } from './members.ts';

/** The sheet. */
export interface Editor {
  text(): string;
  /** Puts in another text, without marks. */
  replace(text: string): void;
  /** Shows each finding on its line; on the last line when its member is not there. */
  mark(findings: readonly Finding[]): void;
  /** Moves to a member. Returns false when it is not there. */
  goTo(member: string): boolean;
}

/** Makes the sheet of a text area and the element below it. */
export function makeEditor(area: HTMLTextAreaElement, marks: HTMLElement, hint: HTMLElement): Editor {
  function clear(): void {
    marks.replaceChildren();
    area.removeAttribute('aria-invalid');
    const problem = syntaxProblem(area.value);
    hint.textContent = problem ?? 'One JSON object.';
    hint.classList.toggle('wrong', problem !== undefined);
  }

  area.addEventListener('input', clear);
  area.addEventListener('scroll', () => {
    marks.scrollTop = area.scrollTop;
    marks.scrollLeft = area.scrollLeft;
  });

  return {
    text: () => area.value,
    replace(text) {
      area.value = text;
      area.scrollTop = 0;
      clear();
    },
    mark(findings) {
      const members = membersOf(area.value);
      const lines = area.value.split('\n');
      const last = area.value.trimEnd().split('\n').length - 1;
      const byLine = Map.groupBy(findings, (finding) => finding.line ?? placeOf(members, finding)?.line ?? last);
      marks.replaceChildren(...lines.map((line, at) => markedLine(line, byLine.get(at) ?? [])));
      area.setAttribute('aria-invalid', String(findings.some(({ tone }) => tone === 'fault')));
      marks.scrollTop = area.scrollTop;
      marks.scrollLeft = area.scrollLeft;
    },
    goTo(member) {
      const place = membersOf(area.value).get(member);
      if (place === undefined) return false;
      area.focus();
      area.setSelectionRange(place.start, place.end);
      area.scrollTop = (place.line / area.value.split('\n').length) * area.scrollHeight - area.clientHeight / 3;
      return true;
    },
  };
}

function placeOf(members: ReadonlyMap<string, Place>, { member }: Finding): Place | undefined {
  return member === undefined ? undefined : members.get(member);
}

function markedLine(text: string, findings: readonly Finding[]): HTMLElement {
  const [worst] = findings.toSorted((a, b) => a.tone.localeCompare(b.tone));
  const note = findings.map((finding) => remark(finding, text)).join(' · ');
  // An empty line would have no height.
  const children = worst === undefined ? [text || ' '] : [text, element('span', { class: 'note' }, note)];
  return element('span', { class: `line ${worst?.tone ?? ''}` }, ...children);
}

/** The first clause of the message, without the name of the field where the line has it already. */
function remark({ field, text }: Finding, line: string): string {
  const [clause = text] = text.split(/[.;:,] /, 1);
  return field !== undefined && line.includes(`"${field}"`) && clause.startsWith(`${field} `)
    ? clause.slice(field.length + 1)
    : clause;
}

/** Says what is wrong while it is being written, long before the service would. */
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
