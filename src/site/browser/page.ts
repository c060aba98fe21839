/** Finding what the page has, and putting something in its place. */

import type { Html } from '../html.ts';

/** @throws When the page has no such element. */
export function find<Kind extends HTMLElement>(selector: string, kind: new () => Kind): Kind {
  const found = document.querySelector(selector);
  if (!(found instanceof kind)) throw new Error(`The page has no ${selector}`);
  return found;
}

/** Shows this and nothing else in a place. Values in it are escaped already. */
export function show(place: HTMLElement, content: Html): void {
  place.innerHTML = content.text;
}
