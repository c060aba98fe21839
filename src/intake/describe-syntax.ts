/** What a body that is not JSON needs, for people. */

import { BATCH_PATH } from '../contract/endpoint.ts';
import type { SyntaxFault } from '../json/syntax-error.ts';

/** Says what is wrong and what to do about it. @param inBatch - Whether the text came to the address for batches. */
export function describeSyntax(fault: SyntaxFault, inBatch = false): string {
  return inBatch && fault === 'text_after_the_end' ? ONE_A_LINE : DETAILS[fault];
}

const ONE_A_LINE = 'something follows where it should end; send one object a line, or one array of objects';

const DETAILS: Readonly<Record<SyntaxFault, string>> = {
  ends_too_early: 'the body ends before the object does; send it whole',
  text_after_the_end: `something follows the object; send one event a request, or several lines to ${BATCH_PATH}`,
  control_character: 'a string holds a line break, a tab or another control character; escape it, such as \\n',
  bad_escape: 'a string holds an escape that JSON does not know; write a backslash as \\\\',
  wrong_quotes: 'JSON takes double quotes only, as in "StartUtc"',
  unquoted_name: 'a name needs double quotes around it',
  unknown_word: 'a word stands where a value belongs; put text in double quotes, or write true, false or null',
  not_a_number: 'NaN and Infinity are not JSON; send null or leave the field out',
  bad_number:
    'a number is not written as JSON wants it; send no sign +, no leading zeros, and a digit on each side of the point, or put it in double quotes',
  comment: 'JSON has no comments; take it out',
  comma_too_many: 'there is a comma too many',
  comma_missing: 'a comma is missing',
  colon_missing: 'a colon is missing behind a name',
  markup: 'it is XML or HTML; send JSON',
  template:
    'two braces stand where a value belongs, as in a template that was not filled in; fill it in before you send',
  unexpected: 'a character stands where it may not',
};
