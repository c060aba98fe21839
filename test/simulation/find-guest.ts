/** The tool that finds a guest, checked against what is stored, and that asks for an erasure. */

import { PSEUDONYM_KEY, selectionOf } from './guests.ts';
import { CLOCKS_MS } from './profile.ts';
import type { Stage } from './stage.ts';
import { placeOf, textOf, timeIn } from './stored.ts';
import type { Actor } from './world.ts';

/** Searches for a guest, and checks what was found. */
export async function find(stage: Stage, actor: Actor, guest: string) {
  const { tools, r2, world, ledger } = stage;
  const before = linesOf(stage, guest);
  const { signal } = new AbortController();
  const options = { selection: selectionOf(guest), range: {}, checkpoint: undefined };
  const found = await tools.search(r2.store(actor), options, signal, () => {});
  const after = linesOf(stage, guest);
  const names = new Set(
    found.hits.flatMap(({ key, line, event_id: id, place }) => [`event ${id}`, `${place} ${id}`, `${key} ${line}`]),
  );
  for (const [name, { id, key }] of before) {
    // What came after the search began is not looked at; of what is no event, another clock says when it came.
    const moment = timeIn(id ?? key.slice(key.lastIndexOf('/') + 1)) + (id === undefined ? CLOCKS_MS : 0);
    const isDue = after.has(name) && moment < found.through.getTime();
    if (isDue && !names.has(name) && !found.damaged.includes(key)) world.violate(`${name} is not found`);
  }
  for (const { key, line, event_id: id } of found.hits) {
    const isOther =
      id === null
        ? !before.has(`${key} ${line}`) && !after.has(`${key} ${line}`)
        : ledger.erasures.guestOf(id) !== guest;
    if (isOther) world.violate(`line ${line} of ${key} is found, which is not of ${guest}`);
  }
  return found;
}

/** Where a guest is: the event, also in its part, and the line of what nobody moves. */
function linesOf({ bucket }: Stage, guest: string) {
  const lines = new Map<string, { readonly id: string | undefined; readonly key: string }>();
  const named = new RegExp(`(?:customer_id|CustomerId)\\\\*":\\\\*"${guest}`);
  for (const object of bucket.objects.values()) {
    const { key } = object;
    const place = placeOf(key);
    const hasRows = place === 'landed' || place === 'published';
    if (!hasRows && place !== 'deadLettered' && !key.startsWith('rejected/')) continue;
    for (const [number, line] of textOf(object).split('\n').entries()) {
      if (!named.test(line)) continue;
      const id = hasRows ? /"event_id":"([\da-f-]{36})/.exec(line)?.[1] : undefined;
      lines.set(hasRows ? `event ${id}` : `${key} ${number}`, { id, key });
      // What is still in landing/ besides has to be met in its part, which is to be written anew.
      if (place === 'published') lines.set(`events ${id}`, { id, key });
    }
  }
  return lines;
}

/** Asks for the erasure of what is found of a guest. */
export async function askToErase(stage: Stage, actor: Actor, guest: string): Promise<void> {
  const found = await find(stage, actor, guest);
  await stage.tools.requestErasure(stage.r2.store(actor), selectionOf(guest), found, PSEUDONYM_KEY);
}
