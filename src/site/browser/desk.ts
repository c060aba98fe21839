/** The panel to try it: what is sent, and what is done with the answer. */

import type { TryItData } from '../page/try-it-data.ts';
import { type Glossary, readAnswer } from './answer.ts';
import { makeEditor } from './editor.ts';
import { element } from './element.ts';
import { type Places, showAnswer, showFailure } from './show-answer.ts';

/** Longer than the service ever takes, which is 4 s. */
const TIMEOUT_MS = 10_000;

/** Brings the panel to life. */
export function startDesk(form: HTMLFormElement): void {
  const data = JSON.parse(find('#desk-data', HTMLScriptElement).text) as TryItData;
  const token = find('#token', HTMLInputElement);
  const example = find('#example', HTMLSelectElement);
  const editor = makeEditor(
    find('#body', HTMLTextAreaElement),
    find('#marks', HTMLElement),
    find('#body-hint', HTMLElement),
  );
  const places: Places = { status: find('#answer', HTMLElement), details: find('#details', HTMLElement) };
  const buttons = form.querySelectorAll('button[type="submit"]');
  const glossary: Glossary = {
    wireName: (column) => data.wireNames[column] ?? column,
    // The page has the words already.
    meaning: (code) => document.querySelector(`#code-${CSS.escape(code)} dd`)?.textContent ?? code,
  };

  places.status.replaceChildren(
    element('p', { class: 'empty' }, 'The answer appears here, each fault beside its field.'),
  );

  async function submit(checkOnly: boolean): Promise<void> {
    for (const button of buttons) button.setAttribute('disabled', '');
    try {
      const sent = await send(data.endpoint, token.value.trim(), editor.text(), checkOnly);
      const answer = readAnswer(sent.status, JSON.parse(sent.body), glossary);
      token.setAttribute('aria-invalid', String(answer.status === 401));
      editor.mark(answer.findings);
      showAnswer(places, answer, pretty(sent.body), (member) => {
        if (!editor.goTo(member)) find('#body', HTMLTextAreaElement).focus();
      });
    } catch (error) {
      editor.mark([]);
      showFailure(places, 'No answer', explain(error));
    } finally {
      for (const button of buttons) button.removeAttribute('disabled');
    }
  }

  example.addEventListener('change', () => editor.replace(data.examples[example.value] ?? ''));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const { submitter } = event;
    submit(!(submitter instanceof HTMLButtonElement && submitter.value === 'send'));
  });
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      submit(true);
    }
  });
}

async function send(endpoint: string, token: string, body: string, checkOnly: boolean) {
  const response = await fetch(checkOnly ? `${endpoint}?check` : endpoint, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(token !== '' && { Authentication: `Bearer ${token}` }) },
    body,
    cache: 'no-store',
    credentials: 'omit',
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  return { status: response.status, body: await response.text() };
}

function explain(error: unknown): string {
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return 'The service did not answer in time. Try again later.';
  if (error instanceof SyntaxError) return 'Something else than the service answered. Is there a proxy on the way?';
  return 'The service cannot be reached, or the token holds characters that no header can carry. Check both, then try again.';
}

function pretty(json: string): string {
  return JSON.stringify(JSON.parse(json), null, 2);
}

function find<Kind extends HTMLElement>(selector: string, kind: new () => Kind): Kind {
  const found = document.querySelector(selector);
  if (!(found instanceof kind)) throw new Error(`The page has no ${selector}`);
  return found;
}
