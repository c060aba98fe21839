/** The fixed numbers of publishing, each with the reason for it. */

/**
 * How long an hour rests after its end, and a late object after its arrival, before it is published: the wait of a
 * batch (60 s) and the way of a slow request fit in several times. In milliseconds.
 */
export const SETTLE_MS = 5 * 60_000;

/**
 * How much of one hour goes into one part, in bytes as landed. Rows take about 1 kB there and an eighth of that in gzip.
 * An hour that has gathered so much is not waited for.
 */
export const PART_SOURCE_BYTES = 160 * 1024 * 1024;

/**
 * When a part is closed whatever is left to read, in bytes of gzip. The part is held in memory until it is written, in
 * one conditional request, so this is what keeps memory flat (128 MB an isolate) when rows hardly compress.
 */
export const PART_BYTES = 24 * 1024 * 1024;

/** How many landing objects go into one part. Each may be read twice. */
export const PART_SOURCES = 2_000;

/** A run begins no part beyond these. Together with one last part they stay below 10,000 calls an invocation and 30 s of CPU. */
export const RUN_SOURCE_BYTES = 320 * 1024 * 1024;
export const RUN_SOURCES = 2_500;

/** The largest landing object that is read. The largest that landing writes is 100 lines of 128,000 bytes. */
export const SOURCE_BYTES = 16 * 1024 * 1024;

/** How many landing objects are read at once: six connections are allowed, and one is left for the rest. */
export const READS_AHEAD = 5;

/** How many bytes of landing objects are read ahead at most, unless one alone is larger. */
export const READ_AHEAD_BYTES = 8 * 1024 * 1024;

/** How long a run has the publisher to itself after each sign of life, in milliseconds: several times what a part takes. */
export const LEASE_MS = 5 * 60_000;

/** R2 takes one write a second for each key; this leaves a little room. In milliseconds. */
export const WRITE_INTERVAL_MS = 1_100;

/** R2 deletes so many keys in one call. */
export const DELETE_KEYS = 1_000;
