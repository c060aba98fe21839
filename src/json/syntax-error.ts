/**
 * Where a text stops being JSON. The engine's own message names a position only sometimes and quotes the body, which
 * no answer may do; so the position is found here, after JSON.parse has refused the text. Pure.
 */

/** A string, with the characters that RFC 8259 section 7 lets stand unescaped. */
const STRING = String.raw`"(?:[ !#-\[\]-\u{10ffff}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"`;
const SCALAR = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null`;
/** White space and then one token: a punctuation mark, a string, or a number or literal. */
const TOKEN = new RegExp(String.raw`[ \t\n\r]*(?:([{}\[\],:])|(${STRING})|(${SCALAR}))`, 'uy');

/** What may come next: a value, a name, and so on. `first` forms also allow the container to close. */
type Expected = 'value' | 'first value' | 'name' | 'first name' | 'colon' | 'comma or end' | 'nothing';

/**
 * Finds the first character at which `text` is no longer JSON (RFC 8259).
 *
 * @param text - A text that JSON.parse refuses.
 * @returns The offset in UTF-16 code units, `text.length` when the text ends too early, or undefined when the text is
 * JSON after all.
 */
export function locateSyntaxError(text: string): number | undefined {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  let at = 0;
  for (;;) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(text);
    const start = skipBlanks(text, at);
    if (match === null) return expected === 'nothing' && start === text.length ? undefined : start;
    const next = step(expected, match[1] ?? (match[2] === undefined ? 'scalar' : 'string'), open);
    if (next === undefined) return start;
    expected = next;
    at = TOKEN.lastIndex;
  }
}

/** The state after `token`, or undefined where the token may not stand. Keeps `open`, the stack of containers. */
function step(expected: Expected, token: string, open: ('{' | '[')[]): Expected | undefined {
  const afterValue = (): Expected => (open.length === 0 ? 'nothing' : 'comma or end');
  const inside = open.at(-1);
  if (token === ']' || token === '}') {
    const opener = token === ']' ? '[' : '{';
    const closable = expected === 'comma or end' || expected === (token === ']' ? 'first value' : 'first name');
    if (!closable || inside !== opener) return undefined;
    open.pop();
    return afterValue();
  }
  switch (expected) {
    case 'value':
    case 'first value':
      if (token === '{' || token === '[') {
        open.push(token);
        return token === '{' ? 'first name' : 'first value';
      }
      return token === 'string' || token === 'scalar' ? afterValue() : undefined;
    case 'name':
    case 'first name':
      return token === 'string' ? 'colon' : undefined;
    case 'colon':
      return token === ':' ? 'value' : undefined;
    case 'comma or end':
      if (token !== ',') return undefined;
      return inside === '{' ? 'name' : 'value';
    case 'nothing':
      return undefined;
  }
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \t\n\r'.includes(text.charAt(at))) at += 1;
  return at;
}
