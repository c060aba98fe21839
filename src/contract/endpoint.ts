/** The endpoint that takes events. The contract prescribes its path. Pure. */

export const ENDPOINT_PATH = '/api/1.1/wf/reservation';

export const BATCH_PATH = `${ENDPOINT_PATH}/batch`;

/** Events in one batch at most. Together with the size limit, this lets a batch be answered within seconds. */
export const MAX_BATCH_EVENTS = 1_000;

/** The largest batch in bytes, after decoding. */
export const MAX_BATCH_BYTES = 1_048_576;

export const ALLOWED_METHODS = 'POST, OPTIONS';
