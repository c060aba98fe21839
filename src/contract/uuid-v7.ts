/** The format of the identifiers of events and of refused bodies. Pure. */

import * as v from 'valibot';

/**
 * The pattern of a UUIDv7 (RFC 9562 section 5.7) in lower case. Its first digit is 0 until the year 2527; a much later
 * time would have a partition that no reader recognises.
 */
export const UUID_V7 = String.raw`0[\da-f]{7}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}`;

/** A UUIDv7 and nothing else. */
export const uuidV7Text = v.pipe(v.string(), v.regex(new RegExp(`^${UUID_V7}$`)));
