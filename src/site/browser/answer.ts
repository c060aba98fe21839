/** Converting an answer of the service to what the panel shows. Pure. */

import type { InferOutput } from 'valibot';
import type { AcceptedSchema, CheckedSchema, ProblemSchema } from '../openapi/answers.ts';

/** A message about one field, or about a line of the body: a fault of what is refused, a warning about what is not. */
export interface Finding {
  /** The wire name of the field. */
  readonly field?: string;
  /** The member of the body concerned, which is not always named like the field. */
  readonly member?: string;
  /** The line of the body, from 0, when it is known without a member. */
  readonly line?: number;
  readonly code?: string;
  readonly text: string;
}

/** An answer, ready for display. */
export interface Answer {
  /** Undefined when there was no answer. */
  readonly status?: number;
  readonly headline: string;
  readonly detail: string;
  readonly findings: readonly Finding[];
  /** The path of the explanation of the problem, on this origin. */
  readonly explanation?: string;
  /** The row as it would be stored. */
  readonly row?: unknown;
}

/** The body of a refusal. */
export type Problem = InferOutput<typeof ProblemSchema>;

/** The response bodies of the service; nothing else answers here. */
export type Body = InferOutput<typeof AcceptedSchema> | InferOutput<typeof CheckedSchema> | Problem;

/**
 * Converts an answer of the service.
 *
 * @param textOf - Finds a text of the page: the wire name of a column as `field-COLUMN`, the meaning of a warning as
 * `code-CODE`.
 */
export function readAnswer(status: number, body: Body, textOf: (id: string) => string | null | undefined): Answer {
  if (!('response' in body)) return readProblem(status, body);
  const { response } = body;
  const warnings = response.warnings.map((warning) => {
    const [column = '', code = ''] = warning.split(':');
    return warningAbout(textOf(`field-${column}`) ?? column, code, textOf(`code-${code}`) ?? code);
  });
  return 'row' in response
    ? {
        status,
        headline: 'Good to send',
        detail: 'Nothing was stored. This is the row that it would become.',
        findings: [...warnings, ...response.unknown_fields.map((name) => warningAbout(name, 'unknown_field', UNKNOWN))],
        row: response.row,
      }
    : { status, headline: 'Stored', detail: `As ${response.event_id}, at ${response.received_at}`, findings: warnings };
}

const UNKNOWN =
  'The name is not in the contract. The value is kept in extra; compare the name if it was meant as a field';

function warningAbout(name: string, code: string, text: string): Finding {
  return { field: name, member: name, code, text };
}

function readProblem(status: number, { type, title, detail, errors = [] }: Problem): Answer {
  // The detail of a syntax error gives the line; there is no field to name.
  const line = /\bline (\d+)/.exec(detail)?.[1];
  const findings: Finding[] = errors.map(({ field, pointer, code, detail: text, allowed }) => ({
    field,
    member: pointer.slice(1).replaceAll('~1', '/').replaceAll('~0', '~'),
    code,
    text: allowed === undefined ? text : `${text}. Allowed are ${allowed.join(', ')}`,
  }));
  if (line !== undefined) findings.push({ line: Number(line) - 1, text: 'The body stops being JSON here' });
  return { status, headline: title, detail, findings, explanation: type };
}
