/** A quick test that leaves out nearly all lines of events before they are parsed. Pure. */

/** Ids that stand in a line as they are, whatever is escaped around them. */
const PLAIN = /^[\w.:+-]+$/;

/** An address that lower case and composition leave as it is, written in ASCII. */
const PLAIN_ADDRESS = /^[!-~]+$/;

/** What may stand between the digits of a telephone number, escapes of JSON (twice in `extra`) among them. */
const BETWEEN = String.raw`(?:\\+(?:u[\da-f]{4}|[bfnrt])|[^\p{L}\p{N}\\]){0,8}`;

/**
 * A pattern that matches every line of an event in which one of the identifiers is found, and few others. Lines of events
 * are written by the service itself, which escapes no letter and no digit.
 *
 * @returns Undefined when there is no such pattern, so that each line has to be parsed.
 */
export function hintOf(wanted: ReadonlySet<string>): RegExp | undefined {
  const patterns: string[] = [];
  for (const identifier of wanted) {
    const colon = identifier.indexOf(':');
    const [kind, value] = [identifier.slice(0, colon).replace(/@.*/, ''), identifier.slice(colon + 1)];
    switch (kind) {
      case 'email':
        if (!PLAIN_ADDRESS.test(value) || value.includes('xn--')) return undefined;
        patterns.push(RegExp.escape(value));
        break;
      case 'name_birth':
        patterns.push(...ordersOf(value.slice(-'YYYY-MM-DD'.length)));
        break;
      case 'phone_national':
        patterns.push(Array.from(value, (digit) => DIGITS.get(digit) ?? digit).join(BETWEEN));
        break;
      case 'phone':
      case 'phone_of':
        // The national number of each is wanted too.
        break;
      default:
        if (!PLAIN.test(value)) return undefined;
        patterns.push(RegExp.escape(value));
    }
  }
  return new RegExp([...new Set(patterns)].join('|'), 'iu');
}

/** For each digit the characters that mean it (Unicode, compatibility decomposition), such as full-width ones. */
const DIGITS: ReadonlyMap<string, string> = new Map(
  Array.from('0123456789', (digit) => {
    const start = (digit.codePointAt(0) ?? 0) - 0x30;
    // Full width, and the five mathematical alphabets; superscripts below.
    const others = [0xff10, 0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6].map((zero) =>
      String.fromCodePoint(zero + start),
    );
    return [digit, `[${digit}${others.join('')}${'⁰¹²³⁴⁵⁶⁷⁸⁹'[start]}${'₀₁₂₃₄₅₆₇₈₉'[start]}]`];
  }),
);

/** A date of birth in every order in which it is read. */
function ordersOf(date: string): string[] {
  const [year = '', month = '', day = ''] = date.split('-').map((part) => part.replace(/^0/, '0?'));
  return [
    [year, month, day],
    [day, month, year],
    [month, day, year],
  ].map((order) => order.join(String.raw`\D{1,3}`));
}
