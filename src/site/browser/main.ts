/** What the pages do once they have loaded. Without it they can be read all the same. */

import { addCopyButtons } from './copy.ts';
import { startDesk } from './desk.ts';
import { startStatus } from './status/ask.ts';

// The real origin, wherever the page speaks of it.
for (const place of document.querySelectorAll('[data-origin]')) place.textContent = location.origin;
addCopyButtons(document);
const desk = document.querySelector<HTMLFormElement>('#desk');
if (desk !== null) startDesk(desk);
const statusForm = document.querySelector<HTMLFormElement>('#status-form');
if (statusForm !== null) startStatus(statusForm);
