/** Parses the answers of the endpoint, for the tools that send to it. */

import * as v from 'valibot';

/** An answer. Texts and lists that do not apply are empty. */
export interface ServiceAnswer {
  /** The id of the stored event. */
  readonly eventId: string;
  /** Whether the event was only checked, and would have been stored. */
  readonly isCheck: boolean;
  /** As `column:code`. */
  readonly warnings: readonly string[];
  /** The last path segment of the problem's type. */
  readonly problem: string;
  /** As `field:code`. */
  readonly faults: readonly string[];
}

const NOTHING: ServiceAnswer = { eventId: '', isCheck: false, warnings: [], problem: '', faults: [] };

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
  const parsed = v.safeParse(AnswerSchema, await jsonOf(response));
  if (!parsed.success) return NOTHING;
  const { response: accepted, ...problem } = parsed.output;
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
  accepted: Partial<v.InferOutput<typeof Accepted>>,
  { type = '', errors = [] }: Partial<v.InferOutput<typeof Problem>>,
): ServiceAnswer {
  return {
    eventId: accepted.event_id ?? '',
    isCheck: accepted.stored === false,
    warnings: accepted.warnings ?? [],
    problem: type.split('/').at(-1) ?? '',
    faults: errors.map(({ field, code }) => `${field}:${code}`),
  };
}
