/** The fixed number of batches that is no part of the contract. */

/**
 * The size up to which lines are packed into one message, in UTF-8 bytes: Queues are billed for each 64 KB, of which some
 * 100 bytes are the platform's own (Queues, Pricing and Limits).
 */
export const PACKED_BYTES = 63_900;
