/** The fixed numbers of the endpoint, each with the reason for it. */

/** The largest body, decoded, in bytes: twenty times a full event, and small enough to hold in memory by the thousand. */
export const MAX_BODY_BYTES = 65_536;

/** The largest line in UTF-8 bytes: Cloudflare Queues takes 128,000 bytes a message, of which it uses about 100 itself. */
export const MAX_LINE_BYTES = 127_900;

/**
 * What gzip may add to a text that it cannot shorten, in bytes (RFC 1952 and 1951: 18, and 5 for each 65,535), and room to
 * spare.
 */
export const GZIP_OVERHEAD_BYTES = 1_024;

/** How long the queue has to itself before the line goes to R2 as well, in milliseconds. */
export const QUEUE_TIMEOUT_MS = 1_500;

/** How long the durable stores may take to confirm, in milliseconds: senders give up after 5 s. */
export const CONFIRM_TIMEOUT_MS = 4_000;

/**
 * When a refused body that no store has confirmed is tried again after the answer: the waits before each try, in milliseconds.
 * With the time that each attempt may take, this fits into the 30 s that the platform gives (Workers, waitUntil).
 */
export const LATE_DELAYS_MS = [1_000, 5_000, 10_000] as const;

/** When a sender that was told 503 should come back, in seconds. */
export const RETRY_AFTER_SECONDS = 30;

/** When a sender that was told 429 should come back, in seconds: the period that wrangler.toml sets for both limits. */
export const RATE_PERIOD_SECONDS = 60;
