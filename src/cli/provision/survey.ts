/** Finds what already exists in the account. */

import * as v from 'valibot';
import { subdomainOf } from '../address.ts';
import { type AskAccount, NOT_FOUND } from '../cloudflare.ts';
import { JURISDICTIONS, type Wanted } from './wanted.ts';

export interface FoundQueue {
  readonly retentionSeconds: number;
  readonly jurisdiction: string | undefined;
}

/** An enabled lifecycle rule, with its action in words, such as `expire after 30 days`. */
export interface FoundRule {
  readonly name: string;
  readonly prefix: string;
  readonly action: string;
}

export type Survey = Awaited<ReturnType<typeof survey>>;

/** R2's error codes for an account without a subscription, and for a bucket that does not exist. */
const NO_R2_SUBSCRIPTION = 10_042;
const NO_SUCH_BUCKET = 10_006;

/** Looks for everything that is wanted, one after another. @throws When the API fails, with its message. */
export async function survey({ worker, queues, bucket, jurisdiction }: Wanted, ask: AskAccount) {
  const found = new Map<string, FoundQueue>();
  for (const queue of queues) {
    const there = await findQueue(queue, ask);
    if (there !== undefined) found.set(queue, there);
  }
  const hasR2 = (await ask('/r2/buckets?per_page=1', NO_R2_SUBSCRIPTION)) !== undefined;
  const rules = hasR2 ? await rulesOf(bucket, jurisdiction, ask) : undefined;
  const elsewhere: string[] = [];
  // Names are unique per jurisdiction only, so a bucket in the wrong one would otherwise go unnoticed.
  for (const other of hasR2 && rules === undefined ? [undefined, ...JURISDICTIONS] : []) {
    if (other === jurisdiction || other === 'fedramp') continue;
    if ((await rulesOf(bucket, other, ask)) !== undefined) elsewhere.push(other ?? 'no jurisdiction');
  }
  const [hasAnalytics, subdomain] = [await answersSql(ask), await subdomainOf(ask)];
  return {
    /** Whether the account has an R2 subscription. */
    hasR2,
    /** Whether Analytics Engine answers; it also refuses a login that may not read it. */
    hasAnalytics,
    /** The account's workers.dev subdomain. */
    subdomain,
    queues: found,
    /** The lifecycle rules of the bucket; undefined if it does not exist. */
    rules,
    /** Where else a bucket of that name exists, if there is none in the right place. */
    elsewhere,
    /** Names of the secrets; undefined if the Worker was never deployed. */
    secrets: await secretsOf(worker, ask),
  };
}

async function answersSql(ask: AskAccount): Promise<boolean> {
  try {
    await ask(`/analytics_engine/sql?query=${encodeURIComponent('SHOW TABLES')}`);
    return true;
  } catch {
    // A 403: the account never enabled it, or the token may not read it.
    return false;
  }
}

const Queues = v.array(
  v.object({
    queue_name: v.string(),
    jurisdiction: v.optional(v.string()),
    settings: v.object({ message_retention_period: v.number() }),
  }),
);

async function findQueue(name: string, ask: AskAccount): Promise<FoundQueue | undefined> {
  const listed = v.parse(Queues, await ask(`/queues?name=${encodeURIComponent(name)}`));
  const queue = listed.find(({ queue_name }) => queue_name === name);
  return queue && { retentionSeconds: queue.settings.message_retention_period, jurisdiction: queue.jurisdiction };
}

const Transition = v.optional(v.object({ condition: v.object({ type: v.string(), maxAge: v.optional(v.number()) }) }));

const Rules = v.object({
  rules: v.optional(
    v.array(
      v.object({
        id: v.string(),
        enabled: v.boolean(),
        conditions: v.optional(v.object({ prefix: v.optional(v.string()) })),
        deleteObjectsTransition: Transition,
        abortMultipartUploadsTransition: Transition,
      }),
    ),
  ),
});

async function rulesOf(
  bucket: string,
  jurisdiction: string | undefined,
  ask: AskAccount,
): Promise<FoundRule[] | undefined> {
  const headers = jurisdiction === undefined ? {} : { 'cf-r2-jurisdiction': jurisdiction };
  const lifecycle = await ask(`/r2/buckets/${bucket}/lifecycle`, NO_SUCH_BUCKET, headers);
  if (lifecycle === undefined) return undefined;
  const { rules = [] } = v.parse(Rules, lifecycle);
  return rules
    .filter(({ enabled }) => enabled)
    .map((rule) => ({
      name: rule.id,
      prefix: rule.conditions?.prefix ?? '',
      action: actionOf(rule.deleteObjectsTransition, rule.abortMultipartUploadsTransition),
    }));
}

type FoundTransition = v.InferOutput<typeof Transition>;

function actionOf(expire: FoundTransition, abort: FoundTransition): string {
  const days = (transition: FoundTransition) => (transition?.condition.maxAge ?? Number.NaN) / 86_400;
  if (expire?.condition.type === 'Age' && abort === undefined) return wording('expire', days(expire));
  if (abort?.condition.type === 'Age' && expire === undefined) return wording('abort-multipart', days(abort));
  return 'something else';
}

export function wording(action: 'expire' | 'abort-multipart', days: number): string {
  return `${action === 'expire' ? 'expire' : 'clear uploads that were cut off'} after ${days} days`;
}

async function secretsOf(worker: string, ask: AskAccount): Promise<string[] | undefined> {
  const Secrets = v.optional(v.array(v.object({ name: v.string() })));
  return v.parse(Secrets, await ask(`/workers/scripts/${worker}/secrets`, NOT_FOUND))?.map(({ name }) => name);
}
