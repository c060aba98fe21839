/** The fixed limits of the endpoint, each with its reason. */

/** The largest body in bytes, decoded: twenty times a full event, and small enough to hold thousands in memory. */
export const MAX_BODY_BYTES = 65_536;

/** The largest line in UTF-8 bytes: Cloudflare Queues limits a message to 128,000 bytes and uses about 100 itself. */
export const MAX_LINE_BYTES = 127_900;

/** The bytes that gzip may add to incompressible data (RFC 1952 and 1951: 18, and 5 for each 65,535), and a margin. */
export const GZIP_OVERHEAD_BYTES = 1_024;

/** How long the queue may take to confirm before the line is also written to R2, in milliseconds. */
export const QUEUE_TIMEOUT_MS = 1_500;

/** How long the durable stores together may take to confirm, in milliseconds. Senders give up after 5 s. */
export const CONFIRM_TIMEOUT_MS = 4_000;

/**
 * The delays before each attempt, after the answer, to store a refused body that no store has confirmed, in
 * milliseconds. With the time that each attempt may take, they fit into the 30 s that the platform allows (Workers,
 * waitUntil).
 */
export const LATE_DELAYS_MS = [1_000, 5_000, 10_000] as const;

/** `Retry-After` of a 503, in seconds. */
export const RETRY_AFTER_SECONDS = 30;

/** `Retry-After` of a 429, in seconds: the period of the rate limits in wrangler.toml. */
export const RATE_PERIOD_SECONDS = 60;
