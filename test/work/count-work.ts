/**
 * Work counted, so that a bound on it does not depend on the machine: how often the blocks of the source ran (precise
 * coverage of V8), and how many characters or elements the built-in functions were given. Run as a process of its own,
 * since it watches the built-in functions: `node --js-base-64 test/work/count-work.ts < bodies > counts`.
 */

import { Session } from 'node:inspector/promises';
import { json } from 'node:stream/consumers';
import { PATHS, type PathName } from './paths.ts';

/** A body, and what it is given to. */
export interface Sent {
  readonly path: PathName;
  /** Base64. */
  readonly body: string;
}

let handled = 0;

/** Adds what each call of some methods goes through, as far as that can be told from what it was given and gave back. */
function watch(
  owner: object,
  methods: readonly (string | symbol)[],
  sizeOf: (that: unknown, result: unknown, args: unknown[]) => number,
): void {
  for (const method of methods) {
    const original: unknown = Reflect.get(owner, method);
    if (typeof original !== 'function') throw new Error(`Cannot watch ${String(method)}: there is no such method`);
    Reflect.set(owner, method, function (this: unknown, ...args: unknown[]) {
      const result: unknown = Reflect.apply(original, this, args);
      handled += sizeOf(this, result, args);
      return result;
    });
  }
}

const lengthOf = (value: unknown) =>
  typeof value === 'string' || (typeof value === 'object' && value !== null && 'length' in value)
    ? Number((value as { length: number }).length)
    : 0;

function watchBuiltIns(): void {
  watch(String.prototype, ['slice', 'repeat', 'padEnd'], (_, result) => lengthOf(result));
  watch(
    String.prototype,
    [
      'replace',
      'replaceAll',
      'trim',
      'trimStart',
      'split',
      'toLowerCase',
      'toUpperCase',
      'normalize',
      'match',
      'isWellFormed',
      'toWellFormed',
    ],
    lengthOf,
  );
  watch(String.prototype, ['indexOf', 'includes'], (that, result, [, from]) =>
    typeof result === 'number' && result >= 0 ? result - Number(from ?? 0) : lengthOf(that),
  );
  // A sticky pattern looks at one place, and one that replaces everywhere goes on where it was; others may go through all.
  watch(RegExp.prototype, ['exec'], (that, result, [text]) => {
    const { sticky, global } = that as RegExp;
    return sticky || global ? lengthOf((result as RegExpExecArray | null)?.[0]) : lengthOf(text);
  });
  watch(
    Array.prototype,
    ['sort', 'toSorted', 'toReversed', 'map', 'filter', 'slice', 'flat', 'join', 'concat', 'includes', Symbol.iterator],
    lengthOf,
  );
  watch(JSON, ['parse'], (_, __, [text]) => lengthOf(text));
  watch(JSON, ['stringify'], (_, result) => lengthOf(result));
  watch(JSON, ['rawJSON'], (_, __, [text]) => lengthOf(text));
  watch(Object, ['keys', 'values', 'entries'], (_, result) => lengthOf(result));
  watch(TextDecoder.prototype, ['decode'], (_, result) => lengthOf(result));
  watch(TextEncoder.prototype, ['encode'], (_, result) => lengthOf(result));
  // What it looks up grows with the square of the length.
  watch(Intl, ['getCanonicalLocales'], (_, __, [tag]) => lengthOf(tag) ** 2);
}

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

/** How often blocks of the source have run since this was asked last. */
async function blocksRun(): Promise<number> {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const ours = result.filter(({ url }) => /^file:.*\/src\//.test(url));
  return ours
    .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges))
    .reduce((sum, { count }) => sum + count, 0);
}

const sent = (await json(process.stdin)) as readonly Sent[];
watchBuiltIns();
const counts: number[] = [];
for (const { path, body } of sent) {
  const bytes = Buffer.from(body, 'base64');
  // Once before, so that what is made at the first use is not counted.
  await PATHS[path](bytes);
  await blocksRun();
  handled = 0;
  await PATHS[path](bytes);
  const seen = handled;
  counts.push(seen + (await blocksRun()));
}
process.stdout.write(`${JSON.stringify(counts)}\n`);
