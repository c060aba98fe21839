/** Bar charts. The numbers are shown below them, so screen readers get one sentence per picture. Pure. */

import type { ByHour } from '../../../status/answer.ts';
import type { Tone } from '../../badge.ts';
import { type Html, html } from '../../html.ts';
import { number, sum } from './format.ts';

const BAR = 10;
const HEIGHT = 48;

/** A bar for each hour, the oldest on the left, scaled to the largest. */
export function bars(counts: ByHour, label: string, tone: Tone): Html {
  const most = Math.max(1, ...counts);
  const drawn = counts.toReversed().map((count, at) => {
    // An hour with a single event stays visible beside one with thousands.
    const height = count === 0 ? 0 : Math.max(2, (count / most) * HEIGHT);
    return html`<rect x="${at * BAR + 1}" y="${HEIGHT - height}" width="${BAR - 2}" height="${height}"/>`;
  });
  return html`<svg class="bars ${tone}" viewBox="0 0 ${counts.length * BAR} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${label}">
<rect class="ground" y="${HEIGHT - 1}" width="100%" height="1"/>${drawn}</svg>`;
}

/** A total above its hours. */
export function figure(name: string, counts: ByHour | null, tone: Tone): Html {
  if (counts === null) return html`<div class="figure"><b>not known</b> ${name}</div>`;
  const total = number(sum(counts));
  const most = number(Math.max(...counts));
  return html`<div class="figure ${tone}"><b>${total}</b> ${name}
${bars(counts, `${name}: ${total} in 24 hours, at most ${most} in one`, tone)}
<p class="axis hint"><span>24 hours ago</span><span>at most ${most} an hour</span><span>now</span></p></div>`;
}
