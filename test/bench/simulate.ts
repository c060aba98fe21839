/**
 * `npm run simulate`: a day of a large group, a million rows or the number behind `--`. Says how fast it is published,
 * with how much memory, and what a reader gains by it.
 */

import { showDay } from './show-day.ts';
import { simulateDay } from './simulation.ts';

const rows = Number(process.argv[2] ?? 1_000_000);
if (!Number.isSafeInteger(rows) || rows < 1) {
  console.error(`Cannot simulate ${process.argv[2]} rows; give a whole number, such as: npm run simulate -- 100000`);
  process.exit(2);
}
showDay(await simulateDay(rows));
console.log(`Each of the ${rows} events is there once`);
