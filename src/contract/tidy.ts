/**
 * Brings a value as a PMS sends it to the form in which it is stored. What cannot be helped is left to the schema to
 * refuse: as it is, or as undefined where it has the shape of what is stored and is wrong all the same. Pure.
 */

import { loadableText } from '../json/loadable-text.ts';
import type { Kind } from './fields.ts';
import { parseDate, parseTimestamp } from './timestamp.ts';

/** What was done to a value that the sender should know of. */
export type TidyWarning =
  | 'number_as_text'
  | 'text_as_number'
  | 'replaced_characters'
  | 'no_zone'
  | 'not_a_language_tag';

/** The value to store, if the schema agrees, and what was done to get there. */
export interface Tidied {
  readonly value: unknown;
  readonly warnings: readonly TidyWarning[];
}

/** Of most values there is nothing to say. */
const NOTHING: readonly TidyWarning[] = [];

/** Tidies a value by the kind of its field. */
export function tidy(kind: Kind, sent: unknown): Tidied {
  switch (kind) {
    case 'text':
      return tidyText(sent, (text) => text);
    case 'nationality':
      return tidyText(sent, (text) => text.toUpperCase());
    case 'language':
      return tidyLanguage(sent);
    case 'timestamp':
      return tidyTimestamp(sent);
    case 'date':
      return { value: typeof sent === 'string' ? parseDate(sent) : sent, warnings: NOTHING };
    case 'count':
      return tidyCount(sent);
    case 'choice':
      return { value: sent, warnings: NOTHING };
  }
}

function tidyText(sent: unknown, form: (text: string) => string): Tidied {
  if (Number.isSafeInteger(sent)) return { value: String(sent), warnings: ['number_as_text'] };
  if (typeof sent !== 'string') return { value: sent, warnings: NOTHING };
  const loadable = loadableText(sent);
  return { value: form(loadable), warnings: loadable === sent ? NOTHING : ['replaced_characters'] };
}

function tidyLanguage(sent: unknown): Tidied {
  const { value, warnings } = tidyText(sent, (text) => text);
  if (typeof value !== 'string') return { value, warnings };
  const tag = languageTag(value);
  return tag === undefined ? { value, warnings: [...warnings, 'not_a_language_tag'] } : { value: tag, warnings };
}

/** Tags that were looked up before: guests speak few languages, and looking one up costs more than all other fields. */
const knownTags = new Map<string, string | undefined>();
const MAX_KNOWN_TAGS = 1_000;
/** Long enough for every tag in use (RFC 5646 section 4.4.1), so that nothing large is kept. */
const MAX_KNOWN_TAG_LENGTH = 35;

/** No tag is longer, in characters: what it takes to look one up grows with the square of the length. */
const MAX_TAG_LENGTH = 255;

function languageTag(text: string): string | undefined {
  if (text.length > MAX_TAG_LENGTH) return undefined;
  if (knownTags.has(text)) return knownTags.get(text);
  const tag = canonicalTag(text);
  if (text.length <= MAX_KNOWN_TAG_LENGTH && knownTags.size < MAX_KNOWN_TAGS) knownTags.set(text, tag);
  return tag;
}

/** The canonical BCP 47 tag (RFC 5646), or undefined where the text is none. */
function canonicalTag(text: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(text.replaceAll('_', '-'))[0];
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function tidyTimestamp(sent: unknown): Tidied {
  const timestamp = typeof sent === 'string' ? parseTimestamp(sent) : undefined;
  if (timestamp === undefined) return { value: undefined, warnings: NOTHING };
  return { value: timestamp.utc, warnings: timestamp.hasZone ? NOTHING : ['no_zone'] };
}

function tidyCount(sent: unknown): Tidied {
  if (typeof sent === 'string' && /^\d+$/.test(sent)) return { value: Number(sent), warnings: ['text_as_number'] };
  return { value: sent === 0 ? 0 : sent, warnings: NOTHING };
}
