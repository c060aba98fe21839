/** The names of a payload that no field has. Pure. */

import { fieldMeant } from './names.ts';
import type { Breach } from './normalise.ts';

/** So many are told: a sender who has mapped its fields wrongly sees it by the first. */
const MAX_TOLD = 30;

/** What a program calls a field. Anything else may be a value that was put in the place of a name. */
const NAME = /^[A-Za-z][\w .-]{0,63}$/;

/** The names to tell, in the order of the payload, and how many more there are. */
export interface UnknownNames {
  readonly names: readonly string[];
  readonly more: number;
}

/** Finds the unknown names of a payload in which a required one is missing; none where all are there. */
export function unknownNamesOf({ faults, payload }: Breach): UnknownNames {
  if (!faults.some(({ code }) => code === 'missing')) return { names: [], more: 0 };
  const unknown = Object.keys(payload).filter((name) => fieldMeant(name) === undefined);
  const names = unknown.filter((name) => NAME.test(name)).slice(0, MAX_TOLD);
  return { names, more: unknown.length - names.length };
}
