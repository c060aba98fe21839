/** Names and dates of birth as people write them. Pure. */

/** Letters that Unicode does not take for another letter with a mark. */
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

/** A name without case, marks, blanks and punctuation: `Amélie  NOVÁK-Ford` as `amelienovakford`. */
export function foldName(name: string): string {
  return name
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/[ßæœøłđðþıς]/g, (letter) => LETTERS[letter] ?? letter);
}

/** A name folded in every way in which an umlaut may have been written: Müller, Mueller and Muller. */
export function foldingsOf(name: string): Set<string> {
  const spelledOut = name.normalize('NFC').replace(/[äöüÄÖÜ]/g, (letter) => `${letter}e`);
  const folded = foldName(name);
  return new Set([folded, foldName(spelledOut), folded.replace(/([aou])e/g, '$1')]);
}

/** Nobody writes more into such a field, in characters. */
const MAX_FIELD = 100;

/** Days in the order of most languages and in that of the United States. */
const DAY = /(?<!\d)(\d{1,4})\s?[-./]\s?(\d{1,2})\s?[-./]\s?(\d{1,4})(?!\d)/;

/** The days, `YYYY-MM-DD`, that a text may mean, which holds one date: 2.11.1987 and 11/02/1987 are both 1987-11-02. */
export function daysIn(text: string): string[] {
  const [, first = '', second = '', third = ''] = DAY.exec(text.slice(0, MAX_FIELD)) ?? [];
  if (first.length === 4) return [dayOf(first, second, third)];
  if (third.length !== 4) return [];
  return [...new Set([dayOf(third, second, first), dayOf(third, first, second)])];
}

function dayOf(year: string, month: string, day: string): string {
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}
