/** The page at `/`. Pure. */

import { html } from '../html.ts';
import { answers, warnings } from './answers.ts';
import { batches } from './batches.ts';
import { goLive, retries } from './delivery.ts';
import { fields, situations, states } from './fields.ts';
import { hero } from './hero.ts';
import type { Page } from './layout.ts';
import { type AnsweredMistake, mistakes } from './mistakes.ts';
import { send } from './send.ts';
import { tryIt } from './try-it.ts';

const SECTIONS = [
  ['send', 'Send'],
  ['try', 'Try it'],
  ['fields', 'Fields'],
  ['states', 'States'],
  ['situations', 'Situations'],
  ['mistakes', 'Mistakes'],
  ['answers', 'Answers'],
  ['warnings', 'Warnings'],
  ['batches', 'Batches'],
  ['retries', 'Retries'],
  ['live', 'Going live'],
] as const;

/** The first page that an integrator opens. */
export function indexPage(answered: readonly AnsweredMistake[]): Page {
  return {
    title: 'Send reservation events',
    description:
      'How a property management system sends its reservation events: what to send, what comes back, and a place to try it',
    header: html`<nav class="sections" aria-label="Sections"><ul>${SECTIONS.map(
      ([id, name]) => html`<li><a href="#${id}">${name}</a></li>`,
    )}</ul></nav>`,
    main: html`${hero()}
${send()}
${tryIt()}
${fields()}
${states()}
${situations()}
${mistakes(answered)}
${answers()}
${warnings()}
${batches()}
${retries()}
${goLive()}`,
  };
}
