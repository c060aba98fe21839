/** A set of event_ids that costs 16 bytes an entry and compares all 128 bits. Pure. */

import type { EventIdWords } from './line-bytes.ts';

const WORDS = 4;
const FIRST_SLOTS = 1024;

/** 2^32 divided by the golden ratio, odd. */
const GOLDEN = 0x9e37_79b1;

/**
 * A hash table with open addressing. A JavaScript Set of strings would take six times the memory, and the strings,
 * being slices, would keep the objects alive from which they were cut.
 */
export class IdSet {
  #table = new Uint32Array(FIRST_SLOTS * WORDS);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(id: EventIdWords): boolean {
    return this.#isTaken(this.#find(id));
  }

  /** Adds an event_id. Returns false when the set already has it. */
  add(id: EventIdWords): boolean {
    const at = this.#find(id);
    if (this.#isTaken(at)) return false;
    this.#table.set(id, at);
    this.#size += 1;
    if (this.#size * 3 * WORDS > this.#table.length * 2) this.#grow();
    return true;
  }

  /** The second word of a UUIDv7 holds its version and is never zero, so zero means free. */
  #isTaken(at: number): boolean {
    return this.#table[at + 1] !== 0;
  }

  /**
   * The position of an event_id, or the free slot where it belongs. Multiplying also spreads consecutive ids (Knuth,
   * The Art of Computer Programming, 6.4): in a run of taken slots, each lookup would have to probe to its end.
   */
  #find(id: EventIdWords): number {
    const { 0: a, 1: b, 2: c, 3: d } = id;
    const table = this.#table;
    const slots = table.length / WORDS;
    const hash = Math.imul(d ^ Math.imul(c, GOLDEN), GOLDEN);
    // Only the upper bits of the product are well distributed.
    for (let slot = hash >>> (Math.clz32(slots) + 1); ; slot = (slot + 1) & (slots - 1)) {
      const at = slot * WORDS;
      if (table[at + 1] === 0) return at;
      if (table[at + 3] === d && table[at + 2] === c && table[at + 1] === b && table[at] === a) return at;
    }
  }

  #grow(): void {
    const old = this.#table;
    this.#table = new Uint32Array(old.length * 2);
    for (let at = 0; at < old.length; at += WORDS) {
      if (old[at + 1] === 0) continue;
      const id = old.subarray(at, at + WORDS) as EventIdWords;
      this.#table.set(id, this.#find(id));
    }
  }
}
