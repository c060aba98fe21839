/** The script of all pages. They can be read without it. */

import { addCopyButtons } from './copy.ts';
import { startDesk } from './desk.ts';
import { startStatus } from './status/ask.ts';

// Shows the real origin wherever the page mentions it.
for (const place of document.querySelectorAll('[data-origin]')) place.textContent = location.origin;
addCopyButtons(document);
const desk = document.querySelector<HTMLFormElement>('#desk');
if (desk !== null) startDesk(desk);
const statusForm = document.querySelector<HTMLFormElement>('#status-form');
if (statusForm !== null) startStatus(statusForm);
