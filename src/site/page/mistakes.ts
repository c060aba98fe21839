/** The section on mistakes of new senders and the answers to them. Pure. */

import type { Asked } from '../ask.ts';
import { badge } from '../badge.ts';
import { type Content, type Html, html, prose } from '../html.ts';
import { section } from '../section.ts';
import { table } from '../table.ts';
import type { Mistake } from '../words/mistakes.ts';

export function mistakes(answered: readonly (Mistake & Asked)[]): Html {
  return section(
    'mistakes',
    'Common mistakes',
    html`<p>What is sent, and what is answered. With a 202 the event is stored all the same, and the warning says what to put right. No answer in this table is written by hand: the code of the service gave it.</p>`,
    table('Common mistakes and their answers', ['Sent', 'Answer', 'Instead'], answered.map(row)),
  );
}

function row({ name, sent, remedy, status, findings }: Mistake & Asked): Content[] {
  const told = findings.map((finding) => (status === 202 ? html`<code>${finding}</code> ` : finding));
  return [html`${name}<br><code class="hint">${sent}</code>`, html`${badge(status)} ${told}`, prose(remedy)];
}
