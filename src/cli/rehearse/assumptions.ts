/** The assumptions, in the order in which they can be checked. */

import { compareAndSwap, erased, oneWriteASecond } from './bucket.ts';
import type { Assumption } from './rehearsal.ts';
import { attached, ready, revoked, rolledBack, tagKept, withoutTls } from './tokens.ts';
import { aged, batches, counted, inTable, landed, published, singles } from './traffic.ts';

export const ASSUMPTIONS: readonly Assumption[] = [
  ready,
  tagKept,
  singles,
  batches,
  landed,
  aged,
  oneWriteASecond,
  compareAndSwap,
  published,
  attached,
  inTable,
  counted,
  withoutTls,
  revoked,
  rolledBack,
  erased,
];
