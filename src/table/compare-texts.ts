/** The order of texts by their code points, which is that of their bytes in UTF-8 and that of Parquet and Iceberg. Pure. */

const FIRST_SURROGATE = 0xd800;
const BEHIND_SURROGATES = 0xe000;

/** Compares two texts. UTF-16, by which JavaScript compares, has code points beyond 2^16 before those from 0xe000 on. */
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
