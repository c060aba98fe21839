/** The limits of publishing, each with its reason. They are passed in so that tests can reach them with little data. */

import { MAX_DELETE_KEYS } from '../storage/many-objects.ts';

const MIB = 1024 * 1024;
const MINUTE_MS = 60_000;

/**
 * The limits of production: an isolate has 128 MB of memory; a cron run has six connections that wait for a response,
 * and the subrequests and CPU that `[limits]` in wrangler.toml sets. All three count from the top-level invocation: a
 * Worker called from here would share them (Workers, Limits). Times are in milliseconds, sizes in bytes.
 */
export const LIMITS = {
  /** How long a row may wait in `landing/` before it is published. A configured value overrides it. */
  publishAfterMs: 5 * MINUTE_MS,
  /** How long to wait for the last rows of an hour, to share a part: a batch (60 s) and some time to write it. */
  lastRowsMs: 1.5 * MINUTE_MS,
  /** How long a row may wait at most after its hour has ended: time for several batches and slow requests. */
  settleMs: 5 * MINUTE_MS,
  /**
   * How much of one hour goes into one part, as landed. Rows take about 1 kB there and an eighth of that in gzip. An
   * hour that has reached this size is published without waiting.
   */
  partSourceBytes: 160 * MIB,
  /**
   * How many landing objects go into one part, so that the lease outlives it. Each may be read twice, in 40 ms with
   * five at once at 200 ms a call: 200 s of the 300. Looking for repeats and appending to the log have the rest.
   */
  partSources: 2_500,
  /**
   * The size at which a part is closed whatever is left to read, in bytes of gzip. It is held in memory until it is
   * written in one conditional request, so this bounds memory when rows hardly compress.
   */
  partBytes: 24 * MIB,
  /** How many hours are published concurrently, and how much as landed, unless a single one is larger. */
  hoursAtOnce: 24,
  hoursAtOnceBytes: 32 * MIB,
  /**
   * A run begins no part beyond this. Together with one last part it stays below the CPU of an invocation, and usually
   * ends within the minute until the next run.
   */
  runSourceBytes: 320 * MIB,
  /**
   * Maximum number of landing objects of a run: with more, the rest is gathered first. Together with one last wave,
   * each read twice, they take 11,000 calls of the 20,000 that wrangler.toml sets as the limit, and at 200 ms a call 8
   * minutes of the 15 that a run has.
   */
  runSources: 3_000,
  /** How many objects one consumer gathers at least. */
  gatherLeast: 20,
  /** How many at most: five seconds of reading at 100 ms a call, with the six connections of an invocation. */
  gatherSources: 300,
  /** How much one consumer gathers. The text, its lines and the output take some 30 MB of the 128. */
  gatherBytes: 8 * MIB,
  /** The largest object that is gathered. Larger ones are few and gain nothing. */
  gatherSourceBytes: 256 * 1024,
  /** How many objects a run considers for gathering: 100 listings, which take 10 to 20 s. */
  gatherObjects: 100_000,
  /** How many gather requests are sent in one call, which takes 256 KB (Queues, Limits); 300 names are 13 KB. */
  requestsAtOnce: 15,
  /**
   * How long objects being gathered are left alone. 50 consumers carry out 400 requests in a minute, one consumer in
   * 35; what is left then is requested again.
   */
  gatherMs: 10 * MINUTE_MS,
  /** The largest landing object that is read; the largest that landing writes is 100 lines of 128,000 bytes. */
  sourceBytes: 16 * MIB,
  /** How many landing objects are read at once. Six connections are allowed, and one is left for other calls. */
  readsAhead: 5,
  /** How many bytes of landing objects are read ahead, unless a single one is larger. */
  readAheadBytes: 8 * MIB,
  /** How long the lease lasts after each renewal: several times what a part takes. */
  leaseMs: 5 * MINUTE_MS,
  /** Keys per delete call. */
  deleteKeys: MAX_DELETE_KEYS,
};

export type Limits = Readonly<typeof LIMITS>;
