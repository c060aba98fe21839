/** Parses and validates JSON from a bucket or a file. Pure. */

import * as v from 'valibot';
import { fail, ok, type Result } from '../result.ts';

/**
 * Parses JSON text and validates it against a schema.
 *
 * @returns The value, or what is wrong with the text. The reason quotes none of the text: objects may hold guests'
 * data.
 */
export function parseStored<Output>(
  schema: v.GenericSchema<unknown, Output>,
  json: string | Uint8Array,
): Result<Output, string> {
  const text = typeof json === 'string' ? json : new TextDecoder().decode(json);
  const { success, output, issues } = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text);
  if (success) return ok(output);
  const whys = issues.map((issue) => {
    if (issue.type === 'check') return issue.message;
    const member = v.getDotPath(issue);
    return member === null ? 'it is not a JSON object' : `the value of ${member} cannot be used`;
  });
  return fail(whys.join('; '));
}
