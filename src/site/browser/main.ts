/** What the pages do once they have loaded. Without it they can be read all the same. */

import { addCopyButtons } from './copy.ts';
import { startDesk } from './desk.ts';
import { foldSections } from './fold-sections.ts';
import { followSections } from './follow-sections.ts';
import { makeTabs } from './tabs.ts';

showOrigin();
for (const tabs of document.querySelectorAll<HTMLElement>('[data-tabs]')) makeTabs(tabs);
addCopyButtons(document);
foldSections();
followSections();
const desk = document.querySelector<HTMLFormElement>('#desk');
if (desk !== null) startDesk(desk);
const statusForm = document.querySelector<HTMLFormElement>('#status-form');
const statusLine = document.querySelector<HTMLElement>('#status-line');
const statusBoard = document.querySelector<HTMLElement>('#status-board');
if (statusForm !== null && statusLine !== null && statusBoard !== null) {
  const { startStatus } = await import('./status/ask.ts');
  startStatus(statusForm, statusLine, statusBoard);
}

/** Writes the real origin wherever the page speaks of it. */
function showOrigin(): void {
  for (const place of document.querySelectorAll('[data-origin]')) place.textContent = location.origin;
}
