/** Finding elements of the page and replacing their content. */

import type { Html } from '../html.ts';

/** @throws When the page has no such element. */
export function find<Kind extends HTMLElement>(selector: string, kind: new () => Kind): Kind {
  const found = document.querySelector(selector);
  if (!(found instanceof kind)) throw new Error(`The page has no ${selector}`);
  return found;
}

/** Replaces the content of an element. Values in it are already escaped. */
export function show(place: HTMLElement, content: Html): void {
  place.innerHTML = content.text;
}
