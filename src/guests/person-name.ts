/** Recognising names and dates of birth as people write them. Pure. */

/** Letters that Unicode does not decompose into another letter and a mark. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
};

/** Titles before and after names, which are not part of them. */
const TITLES = new Set(
  'mr mrs ms miss mx sir madam dr prof ing mgr bc bsc msc mba phd mudr judr phdr rndr dipl mag herr frau mme mlle monsieur madame sr sra srta sig dott jr pan pani slecna'.split(
    ' ',
  ),
);

/** A title that millions of people have as their surname: Mr in Czech and Polish, Pan in Chinese. */
const TITLE_OR_SURNAME = 'pan';

/** Maximum length of a field, in characters: nobody writes more. The rest is cut off. */
const MAX_FIELD = 100;

/** Maximum number of words: no name has more. The rest is ignored. */
const MAX_WORDS = 6;

/** Separators of the words of a name; an apostrophe is none. */
const BETWEEN_WORDS = /[\s,.;:/&+()"\u2010-\u2015\u201c-\u201e\u00ab\u00bb_-]+/u;

/** A letter before a name: an initial, or what an apostrophe belongs behind (O Neil, D Angelo). */
const LETTER_BEFORE_NAME = /(?<!\p{L})([a-z])['\u2018\u2019\u02bb\u02bc]?\s+(?=\p{L}{2})/giu;

/** The words of a name in each way it may be meant: Mary O Neil is Mary Neil or Mary O'Neil. */
function readingsOf(name: string): string[][] {
  const field = name.slice(0, MAX_FIELD);
  return [...new Set([field, field.replace(LETTER_BEFORE_NAME, '$1')])].map(nameWords);
}

/**
 * The normalised words of a name, without titles and initials: without case, marks and punctuation, an umlaut as its
 * plain letter, whether written as such or with an e (Müller, Mueller, Muller; Jørn, Joern), and đ or dj as d.
 */
function nameWords(name: string): string[] {
  const words = name.split(BETWEEN_WORDS).map(foldWord);
  const whole = words.filter((word) => [...word].length > (/^[a-z]/.test(word) ? 1 : 0));
  const names = whole.filter((word) => !TITLES.has(word));
  if (names.length > 1) return names.slice(0, MAX_WORDS);
  return whole.filter((word) => word === TITLE_OR_SURNAME || names.includes(word)).slice(0, MAX_WORDS);
}

function foldWord(word: string): string {
  return (
    word
      .toLowerCase()
      .normalize('NFKD')
      // Modifier letters are apostrophes here: ʼ, ʻ.
      .replace(/[^\p{L}\p{N}]|\p{Lm}/gu, '')
      .replace(/[ßæœøłđðþıς]/g, (letter) => LETTERS[letter] ?? letter)
      .replace(/([aou])e/g, '$1')
      .replace(/dj/g, 'd')
      .replace(/aa/g, 'a')
  );
}

/** A word that may be first and last name together, in scripts without blanks between words. */
const WITHOUT_BLANKS = /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]{2,}$/u;

/**
 * The texts by which a stored name is recognised: all words in any order, each pair of words, since middle names are
 * omitted as often as not, and all words joined, since people also write Jeanpierre.
 *
 * @param name - The first name before the last name.
 */
export function storedNames(name: string): Set<string> {
  return new Set(readingsOf(name).flatMap(storedReading));
}

function storedReading(words: readonly string[]): string[] {
  if (words.length < 2) return wholeNames(words);
  const pairs = words.flatMap((word, at) => words.slice(at + 1).map((other) => inOrder([word, other])));
  return [inOrder(words), words.join(''), rotated(words).join(''), ...pairs];
}

/** The texts to look for: all words of the given name. With only two words given, middle names do not matter. */
export function wantedNames(name: string): Set<string> {
  return new Set(
    readingsOf(name).flatMap((words) => (words.length < 2 ? wholeNames(words) : [inOrder(words), words.join('')])),
  );
}

function wholeNames(words: readonly string[]): string[] {
  return words.filter((word) => WITHOUT_BLANKS.test(word));
}

function inOrder(words: readonly string[]): string {
  return words.toSorted().join(' ');
}

/** The words with the last one first. */
function rotated(words: readonly string[]): string[] {
  return [...words.slice(-1), ...words.slice(0, -1)];
}

/** A date in the order of most languages or in that of the United States. */
const DAY = /(?<!\d)(\d{1,4})\s?[-./]\s?(\d{1,2})\s?[-./]\s?(\d{1,4})(?!\d)/;

/** A date in digits alone (ISO 8601, basic form). */
const BASIC_DAY = /(?<!\d)((?:18|19|20)\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?!\d)/;

/**
 * The days, `YYYY-MM-DD`, that a text with one date may mean: 2.11.1987 and 11/02/1987 may both be 1987-11-02.
 *
 * @param text - Folded, see `text.ts`.
 */
export function daysIn(text: string): string[] {
  const field = text.slice(0, MAX_FIELD);
  const [, year, month, day] = BASIC_DAY.exec(field) ?? [];
  if (year !== undefined && month !== undefined && day !== undefined) return [dayOf(year, month, day)];
  const [, first = '', second = '', third = ''] = DAY.exec(field) ?? [];
  if (first.length === 4) return [dayOf(first, second, third)];
  if (third.length !== 4) return [];
  return [...new Set([dayOf(third, second, first), dayOf(third, first, second)])];
}

function dayOf(year: string, month: string, day: string): string {
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}
