/** Converts text to BCP 47 language tags. Pure. */

/** Cached results: guests speak few languages, and canonicalising a tag costs more than reading all other fields. */
const knownTags = new Map<string, string | undefined>();
const MAX_KNOWN_TAGS = 1_000;
/** In characters: long enough for every tag in use (RFC 5646 section 4.4.1), short enough to keep the cache small. */
const MAX_KNOWN_TAG_LENGTH = 35;

/** In characters. Longer text is not a tag, and the time to canonicalise it grows with the square of its length. */
const MAX_TAG_LENGTH = 255;

/**
 * Language subtags of five letters and more are well-formed, but none is registered (RFC 5646 section 2.2.1): `German`
 * is the name of a language, not its tag.
 */
const LANGUAGE = /^[a-z]{2,3}(?![a-z])/i;

/** The canonical tag (RFC 5646) of a text, where `_` counts as `-`. Undefined when the text is not a tag. */
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
