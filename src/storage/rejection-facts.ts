/**
 * What is said of refused bodies in the metadata of their object: who sent them, when, and what was wrong. It holds
 * names of the contract and no value of a body. Pure.
 */

import * as v from 'valibot';
import { countOf, writeCounts } from './counts.ts';
import { RejectionSchema } from './rejection.ts';

/** Bodies, or faults of a field, that are alike. */
export interface RejectionCount {
  readonly sender: string;
  /** The last part of the problem's `type`. */
  readonly problem: string;
  readonly reason: string;
  /** The field and what is wrong with it, as in `StartUtc:required`; empty for the count of bodies. */
  readonly fault: string;
  readonly count: number;
}

/** The longest text, in bytes; together with the counts it stays below the 8,192 that R2 keeps (R2, Limits). */
const MAX_TEXT_BYTES = 4_000;

/** As it is written: an array for each, to save room. */
const WrittenSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.array(v.tuple([v.string(), v.string(), v.string(), v.string(), v.number()])),
);

/** What stands before the body in a line. */
const HeadSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.pick(RejectionSchema, ['rejected_at', 'sender', 'problem', 'reason', 'errors']),
);

/** The first member that may hold what a sender wrote. */
const END_OF_HEAD = ',"content_type":';

export function rejectionFacts(lines: readonly string[]): Record<string, string> {
  const heads = lines.flatMap((line) => {
    const head = v.safeParse(HeadSchema, `${line.slice(0, line.indexOf(END_OF_HEAD))}}`);
    return head.success ? head.output : [];
  });
  const times = heads.map(({ rejected_at }) => rejected_at).sort();
  return {
    senders: writeCounts(countOf(heads.map(({ sender }) => sender))),
    refusals: writeRefusals(heads.flatMap(refusalsOf)),
    ...(times[0] !== undefined && { first_at: times[0], last_at: times.at(-1) ?? times[0] }),
  };
}

type Head = v.InferOutput<typeof HeadSchema>;

/** One for the body, and one for each fault. */
function refusalsOf({ sender, problem, reason, errors }: Head): Omit<RejectionCount, 'count'>[] {
  const faults = errors.map(({ field, code }) => `${field}:${code}`);
  return ['', ...faults].map((fault) => ({ sender, problem, reason, fault }));
}

/** Bodies before faults, and the most frequent first, so that what has no room is what matters least. */
function writeRefusals(refusals: readonly Omit<RejectionCount, 'count'>[]): string {
  const counts = countOf(
    refusals.map(({ sender, problem, reason, fault }) => JSON.stringify([sender, problem, reason, fault])),
  );
  const entries = [...counts].sort(([left, few], [right, many]) => rank(left) - rank(right) || many - few);
  let text = '';
  for (const [key, count] of entries) {
    const entry = `${key.slice(0, -1)},${count}],`;
    if (text.length + entry.length > MAX_TEXT_BYTES) break;
    text += entry;
  }
  return `[${text.slice(0, -1)}]`;
}

function rank(key: string): number {
  return key.endsWith(',""]') ? 0 : 1;
}

/** Reads what the metadata of an object say of its refusals; nothing when somebody else has put it there. */
export function readRefusals(text: string | undefined): RejectionCount[] {
  const written = v.safeParse(WrittenSchema, text);
  if (!written.success) return [];
  return written.output.map(([sender, problem, reason, fault, count]) => ({ sender, problem, reason, fault, count }));
}
