/** E-mail addresses as people write them. Pure. */

/** What can stand before the at sign, and after it: not blanks, brackets, quotes, commas and what URLs consist of. */
const BEFORE = /[^\s<>()[\]{}"'`,;:\\|&=/]+$/;
const AFTER = /^[^\s<>()[\]{}"'`,;:\\|&=/?#@]+/;

/** The longest that each may be, in octets (RFC 5321 section 4.5.3.1). */
const MAX_LOCAL = 64;
const MAX_DOMAIN = 255;

/**
 * Finds the addresses in a text, each in one spelling: in lower case, composed (Unicode NFC), the domain as the mail
 * servers have it (RFC 5891). Dots and what follows a plus stay: only some providers take them for the same mailbox.
 */
export function emailsIn(text: string): string[] {
  const found: string[] = [];
  // Sign by sign rather than by one pattern, whose time would grow with the square of a hostile text.
  for (let at = text.indexOf('@'); at !== -1; at = text.indexOf('@', at + 1)) {
    const [local] = BEFORE.exec(text.slice(Math.max(0, at - MAX_LOCAL), at)) ?? [];
    const [domain] = AFTER.exec(text.slice(at + 1, at + 1 + MAX_DOMAIN)) ?? [];
    if (local !== undefined && domain !== undefined) found.push(`${normal(local)}@${inAscii(normal(domain))}`);
  }
  return found;
}

function normal(part: string): string {
  return part.toLowerCase().normalize('NFC');
}

function inAscii(written: string): string {
  const domain = written.replace(/\.+$/, '');
  if (/^[\w.-]*$/.test(domain)) return domain;
  return URL.parse(`http://${domain}`)?.hostname ?? domain;
}
