/** Bars. Numbers stand beneath them, so a picture has one sentence for screen readers. */

import type { ByHour } from '../../../status/answer.ts';

const SVG = 'http://www.w3.org/2000/svg';
const BAR = 10;
const HEIGHT = 48;

/** A drawing of the hours, the oldest on the left, each as high as its share of the largest. */
export function bars(counts: ByHour, tone: 'good' | 'bad', label: string): SVGElement {
  const most = Math.max(1, ...counts);
  const drawing = svg('svg', {
    viewBox: `0 0 ${counts.length * BAR} ${HEIGHT}`,
    preserveAspectRatio: 'none',
    class: `bars ${tone}`,
    role: 'img',
    'aria-label': label,
  });
  for (const [at, count] of counts.toReversed().entries()) {
    // An hour with a single event is seen beside one with thousands.
    const height = count === 0 ? 0 : Math.max(2, (count / most) * HEIGHT);
    const place = { x: String(at * BAR + 1), width: String(BAR - 2) };
    drawing.append(svg('rect', { ...place, class: 'ground', y: String(HEIGHT - 1), height: '1' }));
    if (height > 0) drawing.append(svg('rect', { ...place, y: String(HEIGHT - height), height: String(height) }));
  }
  return drawing;
}

/** A line as long as a share of the largest, beside a number that says the same. */
export function share(count: number, most: number): SVGElement {
  const drawing = svg('svg', {
    viewBox: `0 0 100 ${BAR}`,
    preserveAspectRatio: 'none',
    class: 'share',
    'aria-hidden': 'true',
  });
  drawing.append(
    svg('rect', { x: '0', y: '0', height: String(BAR), width: String((100 * count) / Math.max(1, most)) }),
  );
  return drawing;
}

function svg(name: string, attributes: Readonly<Record<string, string>>): SVGElement {
  const made = document.createElementNS(SVG, name) as SVGElement;
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  return made;
}
