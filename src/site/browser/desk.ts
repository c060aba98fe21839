/** The try-it panel: sends the event and shows the answer. */

import { toneOf } from '../badge.ts';
import { html } from '../html.ts';
import { type Answer, type Body, readAnswer } from './answer.ts';
import { askService } from './ask-service.ts';
import { addCopyButtons } from './copy.ts';
import { makeEditor } from './editor.ts';
import { find, show } from './page.ts';
import { details, verdict } from './show-answer.ts';

/** Attaches the behaviour of the panel. */
export function startDesk(form: HTMLFormElement): void {
  const token = find('#token', HTMLInputElement);
  const example = find('#example', HTMLSelectElement);
  const editor = makeEditor(
    find('#body', HTMLTextAreaElement),
    find('#marks', HTMLElement),
    find('#body-hint', HTMLElement),
  );
  const line = find('#answer', HTMLElement);
  const rest = find('#details', HTMLElement);
  const buttons = form.querySelectorAll('button');
  const textOf = (id: string) => document.getElementById(id)?.textContent;

  show(line, html`<p class="hint">The answer appears here, each fault beside its field.</p>`);

  async function submit(address: string): Promise<void> {
    for (const button of buttons) button.disabled = true;
    const reply = await askService<Body>(address, token.value.trim(), { method: 'POST', body: editor.text() });
    for (const button of buttons) button.disabled = false;
    const answer: Answer =
      reply.failure === undefined
        ? readAnswer(reply.status, reply.body, textOf)
        : { headline: 'No answer', detail: reply.failure, findings: [] };
    token.setAttribute('aria-invalid', String(answer.status === 401));
    editor.mark(answer.findings, toneOf(answer.status) !== 'good');
    show(line, verdict(answer));
    show(rest, reply.failure === undefined ? details(answer, JSON.stringify(reply.body, null, 2)) : html``);
    addCopyButtons(rest);
  }

  example.addEventListener('change', () => editor.replace(example.selectedOptions[0]?.dataset.event ?? ''));
  rest.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-member]') : null;
    if (link === null) return;
    event.preventDefault();
    editor.goTo(link.dataset.member ?? '');
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    submit(event.submitter?.getAttribute('formaction') ?? form.action);
  });
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit();
  });
}
