/** The fixed numbers of batches, each with the reason for it. */

/** Events in one batch: together with the size, what an answer within seconds leaves room for. */
export const MAX_BATCH_EVENTS = 1_000;

/** The largest batch, decoded, in bytes. */
export const MAX_BATCH_BYTES = 1_048_576;

/**
 * The size up to which lines are packed into one message, in UTF-8 bytes: Queues are billed for each 64 KB, of which some
 * 100 bytes are the platform's own (Queues, Pricing and Limits).
 */
export const PACKED_BYTES = 63_900;
