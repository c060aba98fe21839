/** What is in the account already, as wrangler tells it. */

import type { Ran, RunWrangler } from '../wrangler.ts';
import type { Wanted } from './wanted.ts';

/** A lifecycle rule as wrangler lists it, such as `Expire objects after 30 days`. */
export interface ListedRule {
  readonly name: string;
  readonly prefix: string;
  readonly action: string;
}

/** What is there. */
export interface Found {
  readonly queues: ReadonlySet<string>;
  /** The rules of each bucket that is there. */
  readonly buckets: ReadonlyMap<string, readonly ListedRule[]>;
  /** The names of the secrets, or undefined when the Worker has not been deployed yet. */
  readonly secrets: ReadonlySet<string> | undefined;
}

/** Looks for everything that is wanted. @throws When wrangler cannot tell, with what it says. */
export async function survey({ queues, buckets }: Wanted, env: string, run: RunWrangler): Promise<Found> {
  const [foundQueues, foundBuckets, secrets] = await Promise.all([
    Promise.all(queues.map(async (queue) => ((await hasQueue(queue, env, run)) ? [queue] : []))),
    Promise.all(buckets.map(async (bucket) => [bucket, await rulesOf(bucket, env, run)] as const)),
    secretsIn(env, run),
  ]);
  const present = foundBuckets.flatMap(([bucket, rules]) => (rules === undefined ? [] : [[bucket, rules] as const]));
  return { queues: new Set(foundQueues.flat()), buckets: new Map(present), secrets };
}

async function hasQueue(queue: string, env: string, run: RunWrangler): Promise<boolean> {
  const ran = await run(['queues', 'info', queue, '--env', env]);
  if (ran.code !== 0 && !ran.stderr.includes(`Queue "${queue}" does not exist`)) throw failure(`queue ${queue}`, ran);
  return ran.code === 0;
}

async function rulesOf(bucket: string, env: string, run: RunWrangler): Promise<ListedRule[] | undefined> {
  const ran = await run(['r2', 'bucket', 'lifecycle', 'list', bucket, '--env', env]);
  if (ran.code === 0) return parseRules(ran.stdout);
  // 10006 is R2's code for a bucket that does not exist.
  if (ran.stderr.includes('[code: 10006]')) return undefined;
  throw failure(`bucket ${bucket}`, ran);
}

async function secretsIn(env: string, run: RunWrangler): Promise<ReadonlySet<string> | undefined> {
  const ran = await run(['secret', 'list', '--format', 'json', '--env', env]);
  if (ran.code === 0) {
    const listed = JSON.parse(ran.stdout.slice(ran.stdout.indexOf('['))) as readonly { readonly name: string }[];
    return new Set(listed.map(({ name }) => name));
  }
  if (/Worker "[^"]+".* not found/.test(ran.stderr)) return undefined;
  throw failure('secrets', ran);
}

/** Reads the blocks of `name:`, `enabled:`, `prefix:` and `action:` that wrangler prints. A rule that is off is none. */
export function parseRules(stdout: string): ListedRule[] {
  return stdout.split(/\n\s*\n|\n(?=name:)/).flatMap((block) => {
    const field = (label: string) => new RegExp(`^${label}:\\s+(.*?)\\s*$`, 'm').exec(block)?.[1];
    const [name, prefix, action] = [field('name'), field('prefix'), field('action')];
    if (name === undefined || prefix === undefined || action === undefined || field('enabled') !== 'Yes') return [];
    return [{ name, prefix, action }];
  });
}

function failure(what: string, { stdout, stderr }: Ran): Error {
  return new Error(
    `Cannot look for the ${what}: wrangler says\n\n${stderr.trim() || stdout.trim()}\n\nRun provision again when that is mended; to log in, run npx wrangler login`,
  );
}
