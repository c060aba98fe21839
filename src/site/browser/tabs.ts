/** Panels one at a time, after the tabs pattern of the ARIA Authoring Practices Guide. */

import { element } from './element.ts';

/** Turns the children of an element that carry `data-tab` into tabs. Arrows, Home and End go from one to the next. */
export function makeTabs(root: HTMLElement): void {
  const panels = [...root.querySelectorAll<HTMLElement>(':scope > [data-tab]')];
  const list = element('div', { role: 'tablist', 'aria-label': root.dataset.tabs ?? '' });
  const tabs = panels.map((panel, at) => {
    panel.id = `panel-${at}`;
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', `tab-${at}`);
    const attributes = { type: 'button', role: 'tab', id: `tab-${at}`, 'aria-controls': panel.id };
    return element('button', attributes, panel.dataset.tab ?? '');
  });

  function select(chosen: number): void {
    tabs.forEach((tab, at) => {
      tab.setAttribute('aria-selected', String(at === chosen));
      tab.tabIndex = at === chosen ? 0 : -1;
    });
    panels.forEach((panel, at) => {
      panel.hidden = at !== chosen;
    });
  }

  list.addEventListener('click', ({ target }) => {
    const at = tabs.findIndex((tab) => tab.contains(target instanceof Node ? target : null));
    if (at >= 0) select(at);
  });
  list.addEventListener('keydown', (event) => {
    const at = tabs.findIndex((tab) => tab.matches(':focus'));
    const next = destination(event.key, at, tabs.length);
    if (next === undefined) return;
    event.preventDefault();
    select(next);
    tabs[next]?.focus();
  });
  list.append(...tabs);
  root.prepend(list);
  select(0);
}

function destination(key: string, at: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowRight':
      return (at + 1) % count;
    case 'ArrowLeft':
      return (at + count - 1) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}
