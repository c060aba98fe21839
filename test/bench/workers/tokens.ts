/** Looks tokens up, many times a request: the clock of a Worker stands still, so it is timed from outside. */

import { buildTokenIndex, type TokenIndex } from '../../../src/senders/token-index.ts';

const books = new Map<number, TokenIndex>();

/** The token of this number, as long as a real one. */
const tokenOf = (number: number) => `bench-token-${String(number).padStart(31, '0')}`;

async function bookOf(size: number): Promise<TokenIndex> {
  const known = books.get(size);
  if (known !== undefined) return known;
  const held = Array.from({ length: size }, (_, number) => ({
    token: tokenOf(number),
    sender: { name: `sender-${number}`, tokenNumber: 1 },
  }));
  const book = await buildTokenIndex(held);
  books.set(size, book);
  return book;
}

export default {
  async fetch(request) {
    const { searchParams } = new URL(request.url);
    const [size, times, first] = ['size', 'times', 'first'].map((name) => Number(searchParams.get(name)));
    const book = await bookOf(size ?? 0);
    // Those that are not there are all different, since a wrong one that comes again is remembered.
    const period = first === 0 ? (size ?? 1) : Number.POSITIVE_INFINITY;
    let found = 0;
    for (let at = 0; at < (times ?? 0); at += 1) {
      if ((await book.find(tokenOf((first ?? 0) + (at % period)))) !== undefined) found += 1;
    }
    return new Response(String(found));
  },
} satisfies ExportedHandler;
