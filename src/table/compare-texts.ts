/** Ordering strings by code point, which is the order of their UTF-8 bytes and that of Parquet and Iceberg. Pure. */

const FIRST_SURROGATE = 0xd800;
const BEHIND_SURROGATES = 0xe000;

/**
 * Compares two strings. JavaScript compares UTF-16 units, by which code points from 2^16 on precede U+E000 to U+FFFF.
 */
export function compareTexts(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at++) {
    const [a, b] = [left.charCodeAt(at), right.charCodeAt(at)];
    if (a !== b) return rank(a) - rank(b);
  }
  return left.length - right.length;
}

function rank(unit: number): number {
  return unit >= FIRST_SURROGATE && unit < BEHIND_SURROGATES ? unit + 0x1_0000 : unit;
}
