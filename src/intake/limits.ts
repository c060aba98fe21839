/** The fixed numbers of the endpoint, each with the reason for it. */

/** The largest body, decoded, in bytes: twenty times a full event, and small enough to hold in memory by the thousand. */
export const MAX_BODY_BYTES = 65_536;

/** The largest line in UTF-8 bytes: Cloudflare Queues takes 128,000 bytes a message, of which it uses about 100 itself. */
export const MAX_LINE_BYTES = 127_900;

/** How long a durable store may take to confirm, in milliseconds: senders give up after 5 s. */
export const CONFIRM_TIMEOUT_MS = 4_000;

/** When a sender that was told 503 should come back, in seconds. */
export const RETRY_AFTER_SECONDS = 30;

/** How long the rate limiter may take, in milliseconds: together with the durable store it stays below those 5 s. */
export const RATE_LIMIT_TIMEOUT_MS = 500;

/** When a sender that was told 429 should come back, in seconds: the period that wrangler.toml sets for both limits. */
export const RATE_PERIOD_SECONDS = 60;

/** The endpoint. The path is the contract's own. */
export const ENDPOINT_PATH = '/api/1.1/wf/reservation';

/** What the endpoint answers to, as an Allow header. */
export const ALLOWED_METHODS = 'POST, OPTIONS';
