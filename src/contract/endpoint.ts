/** Where events are sent. The path is the contract's own. Pure. */

export const ENDPOINT_PATH = '/api/1.1/wf/reservation';

export const BATCH_PATH = `${ENDPOINT_PATH}/batch`;

/** Events in one batch: together with the size, what an answer within seconds leaves room for. */
export const MAX_BATCH_EVENTS = 1_000;

/** The largest batch, decoded, in bytes. */
export const MAX_BATCH_BYTES = 1_048_576;

export const ALLOWED_METHODS = 'POST, OPTIONS';
