/** Where events are sent. The path is the contract's own. Pure. */

/** The path of the endpoint. */
export const ENDPOINT_PATH = '/api/1.1/wf/reservation';

/** Where several events are sent at once. */
export const BATCH_PATH = `${ENDPOINT_PATH}/batch`;

/** What the endpoint answers to, as an Allow header. */
export const ALLOWED_METHODS = 'POST, OPTIONS';
