/** Long sections, folded on a phone until somebody wants to read them. */

import { element } from './element.ts';

/** As wide as a phone; src/site/style/tables.css makes cards of tables below the same width. */
const PHONE = '(max-width: 50rem)';

/** Folds every section but those in which one starts. Without this, all of them can be read. */
export function foldSections(): void {
  if (!matchMedia(PHONE).matches) return;
  const sections = document.querySelectorAll<HTMLElement>('main > section[id]:not(#send, #try)');
  for (const section of sections) fold(section);
  const openNamed = () => {
    const named = location.hash === '' ? null : document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const button = named?.closest('section')?.querySelector<HTMLButtonElement>('h2 > button[aria-expanded="false"]');
    button?.click();
    if (button) named?.scrollIntoView();
  };
  addEventListener('hashchange', openNamed);
  openNamed();
}

function fold(section: HTMLElement): void {
  const heading = section.querySelector('h2');
  if (heading === null) return;
  const rest = [...section.children, ...(heading.parentElement?.children ?? [])].filter(
    (part): part is HTMLElement => part instanceof HTMLElement && !part.contains(heading),
  );
  const button = element('button', { type: 'button', class: 'unfold' }, ...heading.childNodes);
  const show = (isOpen: boolean) => {
    button.setAttribute('aria-expanded', String(isOpen));
    section.classList.toggle('folded', !isOpen);
    for (const part of rest) part.hidden = !isOpen;
  };
  button.addEventListener('click', () => show(button.getAttribute('aria-expanded') !== 'true'));
  heading.replaceChildren(button);
  show(false);
}
