/** Languages as BCP 47 tags. Pure. */

/** Tags that were looked up before: guests speak few languages, and looking one up costs more than all other fields. */
const knownTags = new Map<string, string | undefined>();
const MAX_KNOWN_TAGS = 1_000;
/** Long enough for every tag in use (RFC 5646 section 4.4.1), so that nothing large is kept. */
const MAX_KNOWN_TAG_LENGTH = 35;

/** No tag is longer, in characters: what it takes to look one up grows with the square of the length. */
const MAX_TAG_LENGTH = 255;

/**
 * Languages of five letters and more are well-formed and none is registered (RFC 5646 section 2.2.1): `German` is the
 * name of a language and not its tag.
 */
const LANGUAGE = /^[a-z]{2,3}(?![a-z])/i;

/** The canonical tag (RFC 5646) of a text, `_` taken for `-`; undefined where the text is none. */
export function languageTag(text: string): string | undefined {
  if (text.length > MAX_TAG_LENGTH) return undefined;
  const known = knownTags.get(text);
  if (known !== undefined || knownTags.has(text)) return known;
  const tag = canonicalTag(text);
  if (text.length <= MAX_KNOWN_TAG_LENGTH && knownTags.size < MAX_KNOWN_TAGS) knownTags.set(text, tag);
  return tag;
}

function canonicalTag(text: string): string | undefined {
  if (!LANGUAGE.test(text)) return undefined;
  try {
    return Intl.getCanonicalLocales(text.replaceAll('_', '-'))[0];
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
