/** Parses the answers of the endpoint, for the tools that send to it. */

import * as v from 'valibot';

/** An answer, the same for a single event and for one of a batch. Texts and lists that do not apply are empty. */
export type ServiceAnswer = Readonly<ReturnType<typeof summarise>>;

const Accepted = v.object({
  event_id: v.optional(v.string(), ''),
  stored: v.optional(v.boolean(), true),
  warnings: v.optional(v.array(v.string()), []),
});

const Problem = v.object({
  type: v.optional(v.string(), ''),
  errors: v.optional(v.array(v.object({ field: v.string(), code: v.string() })), []),
});

const AnswerSchema = v.object({ response: v.optional(Accepted, {}), ...Problem.entries });

const BatchSchema = v.object({
  response: v.object({
    results: v.array(v.object({ status: v.number(), problem: v.optional(Problem, {}), ...Accepted.entries })),
  }),
});

/** Parses an answer. An answer from elsewhere, such as a gateway's page, gives an empty result. */
export async function readServiceAnswer(response: Response): Promise<ServiceAnswer> {
  const { success, output } = v.safeParse(AnswerSchema, await jsonOf(response));
  const { response: accepted, ...problem } = success ? output : v.parse(AnswerSchema, {});
  return summarise(accepted, problem);
}

/**
 * Parses the answers to the events of a batch, in order. Returns none if the batch was refused as a whole, or if the
 * number of answers differs from that of the events, since they cannot be matched then.
 */
export async function readBatchAnswer(
  response: Response,
  events: number,
): Promise<readonly (ServiceAnswer & { readonly status: number })[]> {
  const parsed = v.safeParse(BatchSchema, await jsonOf(response));
  if (!parsed.success || parsed.output.response.results.length !== events) return [];
  return parsed.output.response.results.map(({ status, problem, ...accepted }) => ({
    status,
    ...summarise(accepted, problem),
  }));
}

function jsonOf(response: Response): Promise<unknown> {
  return response.json().catch(() => undefined);
}

function summarise(
  { event_id: eventId, stored, warnings }: v.InferOutput<typeof Accepted>,
  { type, errors }: v.InferOutput<typeof Problem>,
) {
  return {
    /** The id of the stored event. */
    eventId,
    /** Whether the event was only checked, and would have been stored. */
    isCheck: !stored,
    /** As `column:code`. */
    warnings,
    /** The last path segment of the problem's type. */
    problem: type.split('/').at(-1) ?? '',
    /** As `field:code`. */
    faults: errors.map(({ field, code }) => `${field}:${code}`),
  };
}
