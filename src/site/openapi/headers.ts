/** The headers of requests and responses. Pure. */

import { MEANINGS } from '../../contract/meanings.ts';
import { CHECK_WORDS } from '../../http/check-only.ts';
import { commonHeaders } from '../../http/respond.ts';
import { DELIVERY_NAMES } from '../../intake/request-headers.ts';
import { RULES } from '../words/rules.ts';

/** The headers of responses, as components under their wire names. */
export const HEADERS = {
  'x-request-id': {
    description: 'Identifies the request in the logs of the service.',
    schema: { type: 'string', format: 'uuid' },
  },
  'cache-control': { description: 'No answer may be kept by a cache.', schema: { type: 'string' } },
  'Retry-After': { description: 'Seconds to wait before the next attempt.', schema: { type: 'integer', minimum: 1 } },
  Allow: { description: 'The methods that are allowed.', schema: { type: 'string' } },
  'WWW-Authenticate': { description: 'The scheme that is expected.', schema: { type: 'string' } },
  'x-stored-in': {
    description: 'There when R2 has confirmed the event in place of the queue.',
    schema: { type: 'string', examples: ['r2'] },
  },
  'Accept-Encoding': { description: 'The encodings that are supported.', schema: { type: 'string' } },
} as const;

/**
 * References to the headers of a response: those of every response, and these.
 *
 * @throws When one of them is not described.
 */
export function headers(names: readonly string[]): object {
  const all = [...Object.keys(commonHeaders('')), ...names];
  return Object.fromEntries(
    all.map((name) => {
      if (!(name in HEADERS)) throw new Error(`Cannot describe the header ${name}: it is missing in headers.ts`);
      return [name, { $ref: `#/components/headers/${name}` }];
    }),
  );
}

/** The parameters of a request. Tokens are security schemes, and Content-Type belongs to the body. */
export const PARAMETERS: readonly { readonly name: string; readonly [member: string]: unknown }[] = [
  {
    name: 'check',
    in: 'query',
    description: `${RULES.check} Words are taken in any case; any other value is refused.`,
    allowEmptyValue: true,
    schema: { type: 'string', enum: [...CHECK_WORDS.check, ...CHECK_WORDS.store] },
  },
  ...DELIVERY_NAMES.map((name, at) => ({
    name,
    in: 'header',
    description:
      at === 0
        ? `Your own name of the delivery, the same for each attempt. ${RULES.repeats}`
        : `Read as the name of the delivery when there is no ${DELIVERY_NAMES.slice(0, at).join(' and no ')}.`,
    schema: { type: 'string' },
    example: MEANINGS.idempotency_key.example,
  })),
  {
    name: 'ce-time',
    in: 'header',
    description: MEANINGS.occurred_at.meaning,
    schema: { type: 'string', format: 'date-time' },
    example: MEANINGS.occurred_at.example,
  },
  {
    name: 'Content-Encoding',
    in: 'header',
    description: 'Whether the body is compressed.',
    schema: { type: 'string', examples: ['gzip', 'identity'] },
  },
];
