/** Statuses in the colour of what they mean. Pure. */

import { type Html, html } from './html.ts';

/** Success, a refusal that may pass later, or a permanent one. */
export type Tone = 'good' | 'later' | 'bad';

/** The tone of a status. Of a batch with a 207, some events may pass later. Undefined when there was no answer. */
export function toneOf(status: number | undefined): Tone {
  if (status === undefined) return 'bad';
  if (status === 207 || status === 429 || status >= 500) return 'later';
  return status < 300 ? 'good' : 'bad';
}

/** Renders a status, or a dash when there was no answer. */
export function badge(status: number | undefined): Html {
  return html`<b class="badge ${toneOf(status)}">${status ?? '–'}</b>`;
}
