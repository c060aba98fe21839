/** The status page: reads the token, requests the status and shows the answer. */

import type { Status } from '../../../status/answer.ts';
import { html } from '../../html.ts';
import type { Problem } from '../answer.ts';
import { askService } from '../ask-service.ts';
import { find, show } from '../page.ts';
import { board } from './board.ts';

/** Where this tab keeps the token: other tabs and origins cannot read it, and it is gone with the tab. */
const STORED_TOKEN = 'status-token';

/** Attaches the behaviour of the page. */
export function startStatus(form: HTMLFormElement): void {
  const token = find('#status-token', HTMLInputElement);
  const line = find('#status-line', HTMLElement);
  const place = find('#status-board', HTMLElement);

  async function ask(): Promise<void> {
    sessionStorage.setItem(STORED_TOKEN, token.value.trim());
    show(line, html`<p>Asking …</p>`);
    const reply = await askService<Status | Problem>('/status.json', token.value.trim());
    if (reply.failure !== undefined) fail('No answer', reply.failure);
    else if ('title' in reply.body) fail(`${reply.status} ${reply.body.title}`, `${reply.body.detail}.`);
    else {
      show(line, html`<p>As of ${reply.body.as_of.replace('T', ' ').slice(0, 19)} UTC</p>`);
      show(place, board(reply.body));
    }
  }

  function fail(headline: string, detail: string): void {
    show(line, html`<p class="verdict">${headline}</p><p>${detail}</p>`);
    place.replaceChildren();
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    ask();
  });
  find('#status-forget', HTMLButtonElement).addEventListener('click', () => {
    sessionStorage.removeItem(STORED_TOKEN);
    token.value = '';
    show(line, html`<p>The token is forgotten.</p>`);
    place.replaceChildren();
    token.focus();
  });

  token.value = sessionStorage.getItem(STORED_TOKEN) ?? '';
  if (token.value === '') show(line, html`<p>Enter a token to see its last 24 hours.</p>`);
  else ask();
}
