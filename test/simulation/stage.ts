/** Where a run takes place. */

import type { Isolate } from './isolates.ts';
import type { Ledger } from './ledger.ts';
import type { ModelBucket } from './model-bucket.ts';
import type { ModelQueue } from './model-queue.ts';
import type { Network } from './network.ts';
import type { Profile } from './profile.ts';
import type { World } from './world.ts';

/** What actors share. */
export interface Stage {
  readonly world: World;
  readonly profile: Profile;
  readonly network: Network;
  readonly ledger: Ledger;
  readonly bucket: ModelBucket;
  readonly queue: ModelQueue;
  readonly deadLetters: ModelQueue;
  readonly gatherQueue: ModelQueue;
  readonly rejectedQueue: ModelQueue;
  readonly rejectedDeadLetters: ModelQueue;
  /** Isolates with the clock of each. */
  readonly isolates: readonly [Placed, ...Placed[]];
  /** Whether the run is in its second half, in which nothing comes and nothing fails. */
  isOver(): boolean;
}

/** An isolate and how far its clock is off. */
interface Placed {
  readonly code: Isolate;
  readonly skewMs: number;
}
