/**
 * What the metadata of an object of `rejected/` say about its refused bodies: who sent them, when, and what was wrong.
 * They hold names of the contract and no value of a body. Pure.
 */

import * as v from 'valibot';
import { countOf, writeCounts } from './counts.ts';
import { RejectionSchema } from './rejection.ts';

/** A number of equal refusals: of bodies, or of one field. */
export interface RejectionCount {
  readonly sender: string;
  /** The last part of the problem's `type`. */
  readonly problem: string;
  readonly reason: string;
  /** The field and its fault, as in `StartUtc:required`; empty for the count of bodies. */
  readonly fault: string;
  readonly count: number;
}

/** Maximum length of the text, in bytes; with the counts it stays below the 8,192 that R2 keeps (R2, Limits). */
const MAX_TEXT_BYTES = 4_000;

/** The written form: an array for each count, to save space. */
const WrittenSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.array(v.tuple([v.string(), v.string(), v.string(), v.string(), v.number()])),
);

/** The members before the body in a line. */
const HeadSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.pick(RejectionSchema, ['rejected_at', 'sender', 'problem', 'reason', 'errors']),
);

/** The first member that may hold a value from the sender. */
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

/** One refusal for the body, and one for each fault. */
function refusalsOf({ sender, problem, reason, errors }: Head): Omit<RejectionCount, 'count'>[] {
  const faults = errors.map(({ field, code }) => `${field}:${code}`);
  return ['', ...faults].map((fault) => ({ sender, problem, reason, fault }));
}

/** Bodies come before faults and frequent refusals before rare ones, so that what does not fit matters least. */
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

/** Reads the refusals from the metadata of an object; empty when the metadata were not written by this service. */
export function readRefusals(text: string | undefined): RejectionCount[] {
  const written = v.safeParse(WrittenSchema, text);
  if (!written.success) return [];
  return written.output.map(([sender, problem, reason, fault, count]) => ({ sender, problem, reason, fault, count }));
}
