/** The status page: the token, the question, and what is done with the answer. */

import type { Status } from '../../../status/answer.ts';
import { element } from '../element.ts';
import { board } from './board.ts';

/** Longer than the service ever takes, which is 6 s for a bucket that hangs, and a rate limit. */
const TIMEOUT_MS = 15_000;

/** Where this tab keeps the token. Other tabs and other origins cannot read it, and it ends with the tab. */
const STORED_TOKEN = 'status-token';

/** What came back. */
type Asked = { readonly status: Status } | { readonly headline: string; readonly detail: string };

/** Brings the page to life. */
export function startStatus(form: HTMLFormElement, line: HTMLElement, place: HTMLElement): void {
  const token = form.querySelector('input');
  const [show, forget] = form.querySelectorAll('button');
  if (token === null || show === undefined || forget === undefined) throw new Error('The status page has no form');

  async function ask(field: HTMLInputElement, button: HTMLButtonElement): Promise<void> {
    sessionStorage.setItem(STORED_TOKEN, field.value.trim());
    button.disabled = true;
    line.replaceChildren(element('p', {}, 'Asking …'));
    const asked = await askService(field.value.trim());
    button.disabled = false;
    if ('status' in asked) {
      const { status } = asked;
      line.replaceChildren(element('p', {}, `As of ${status.as_of.replace('T', ' ').slice(0, 19)} UTC`));
      place.replaceChildren(...board(status));
    } else {
      line.replaceChildren(element('p', { class: 'verdict-line bad' }, asked.headline), element('p', {}, asked.detail));
      place.replaceChildren();
    }
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    ask(token, show);
  });
  forget.addEventListener('click', () => {
    sessionStorage.removeItem(STORED_TOKEN);
    token.value = '';
    line.replaceChildren(element('p', {}, 'The token is forgotten.'));
    place.replaceChildren();
    token.focus();
  });

  token.value = sessionStorage.getItem(STORED_TOKEN) ?? '';
  if (token.value === '') line.replaceChildren(element('p', {}, 'Enter a token to see its last 24 hours.'));
  else ask(token, show);
}

async function askService(token: string): Promise<Asked> {
  try {
    const response = await fetch('/status.json', {
      headers: { Authorization: `Bearer ${token}` },
      cache: 'no-store',
      credentials: 'omit',
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const body = await response.json();
    return response.ok ? { status: body } : { headline: `${response.status} ${body.title}`, detail: `${body.detail}.` };
  } catch (error) {
    return { headline: 'No answer', detail: explain(error) };
  }
}

function explain(error: unknown): string {
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return 'The service did not answer in time. Try again later.';
  if (error instanceof SyntaxError) return 'Something else than the service answered. Is there a proxy on the way?';
  return 'The service cannot be reached, or the token holds characters that no header can carry. Check both, then try again.';
}
