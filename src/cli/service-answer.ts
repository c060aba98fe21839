/** What the endpoint answers, read by those who send to it. */

import * as v from 'valibot';

/** An answer; texts are empty and lists too where they do not apply. */
export interface ServiceAnswer {
  /** Of the event that was stored. */
  readonly eventId: string;
  /** Whether the event was only checked, and would have been stored. */
  readonly isCheck: boolean;
  /** As `column:code`. */
  readonly warnings: readonly string[];
  /** The last part of the problem's type. */
  readonly problem: string;
  /** As `field:code`. */
  readonly faults: readonly string[];
}

const NOTHING: ServiceAnswer = { eventId: '', isCheck: false, warnings: [], problem: '', faults: [] };

const AnswerSchema = v.object({
  response: v.optional(
    v.object({
      event_id: v.optional(v.string(), ''),
      stored: v.optional(v.boolean(), true),
      warnings: v.optional(v.array(v.string()), []),
    }),
    {},
  ),
  type: v.optional(v.string(), ''),
  errors: v.optional(v.array(v.object({ field: v.string(), code: v.string() })), []),
});

/** Reads an answer. One that is not of this service, such as a gateway's page, says nothing. */
export async function readServiceAnswer(response: Response): Promise<ServiceAnswer> {
  const parsed = v.safeParse(AnswerSchema, await response.json().catch(() => undefined));
  if (!parsed.success) return NOTHING;
  const { response: accepted, type, errors } = parsed.output;
  return {
    eventId: accepted.event_id ?? '',
    isCheck: accepted.stored === false,
    warnings: accepted.warnings ?? [],
    problem: type.split('/').at(-1) ?? '',
    faults: errors.map(({ field, code }) => `${field}:${code}`),
  };
}
