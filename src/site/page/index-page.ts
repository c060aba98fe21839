/** The page at `/`. Pure. */

import { html } from '../html.ts';
import { answers, warnings } from './answers.ts';
import { batches } from './batches.ts';
import { goLive, retries } from './delivery.ts';
import { fields, situations, states } from './fields.ts';
import { hero } from './hero.ts';
import type { Page } from './layout.ts';
import { mistakes } from './mistakes.ts';
import { send } from './send.ts';
import { tryIt } from './try-it.ts';

/** The first page that an integrator opens. */
export function indexPage(answered: Parameters<typeof mistakes>[0]): Page {
  const sections = [
    ['#send', 'Send', send()],
    ['#try', 'Try it', tryIt()],
    ['#fields', 'Fields', fields()],
    ['#states', 'States', states()],
    ['#situations', 'Situations', situations()],
    ['#mistakes', 'Mistakes', mistakes(answered)],
    ['#answers', 'Answers', answers()],
    ['#warnings', 'Warnings', warnings()],
    ['#batches', 'Batches', batches()],
    ['#retries', 'Retries', retries()],
    ['#live', 'Going live', goLive()],
  ] as const;
  return {
    title: 'Send reservation events',
    description:
      'How a property management system sends its reservation events: what to send, what comes back, and a place to try it',
    links: sections.map(([address, name]) => [address, name]),
    main: html`${hero()}
${sections.map(([, , content]) => content)}`,
  };
}
