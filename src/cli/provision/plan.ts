/** What has to be done, from what is wanted and what is there. Pure. */

import type { Found, ListedRule } from './survey.ts';
import { RETENTION_SECONDS, RULES, type Rule, type Wanted } from './wanted.ts';

/** One line of the plan. */
export interface Step {
  /** What it is about. */
  readonly what: string;
  /** How it stands: in order, to be done here, or left to the operator. */
  readonly state: 'there' | 'to do' | 'yours';
  /** What stands behind the state, for the eye. */
  readonly remark: string;
  /** The arguments of wrangler that do it. */
  readonly command?: readonly string[];
}

const RETENTION = ['--message-retention-period-secs', String(RETENTION_SECONDS)];
const DAYS = RETENTION_SECONDS / 86_400;

/** Plans every step, also those that are done already. */
export function planFor(wanted: Wanted, found: Found, env: string): Step[] {
  return [
    ...wanted.queues.map((queue) => planQueue(queue, found.queues.has(queue), env)),
    ...wanted.buckets.flatMap((bucket) => planBucket(bucket, found.buckets.get(bucket), env)),
    ...wanted.secrets.map((secret) => planSecret(secret, found.secrets, env)),
  ];
}

function planQueue(queue: string, isThere: boolean, env: string): Step {
  const verb = isThere ? 'update' : 'create';
  return {
    what: `queue ${queue}`,
    state: 'to do',
    // wrangler does not show the retention of a queue, so it is set each time.
    remark: isThere ? `is there; set to keep messages for ${DAYS} days` : `create, to keep messages for ${DAYS} days`,
    command: ['queues', verb, queue, ...RETENTION, '--env', env],
  };
}

function planBucket(bucket: string, rules: readonly ListedRule[] | undefined, env: string): Step[] {
  const what = `bucket ${bucket}`;
  const step: Step =
    rules === undefined
      ? { what, state: 'to do', remark: 'create', command: ['r2', 'bucket', 'create', bucket, '--env', env] }
      : { what, state: 'there', remark: 'is there' };
  return [step, ...RULES.map((rule) => planRule(bucket, rule, rules ?? [], env))];
}

function planRule(bucket: string, rule: Rule, listed: readonly ListedRule[], env: string): Step {
  const what = `  rule ${rule.name}`;
  const wording = `${WORDING[rule.action]} after ${rule.days} days`;
  const known = listed.find(({ name }) => name === rule.name);
  if (known === undefined) {
    const args = [
      bucket,
      rule.name,
      rule.prefix,
      `--${OPTION[rule.action]}`,
      String(rule.days),
      '--force',
      '--env',
      env,
    ];
    const remark = `create: ${rule.prefix} ${wording}`;
    return { what, state: 'to do', remark, command: ['r2', 'bucket', 'lifecycle', 'add', ...args] };
  }
  const remark = `is there: ${known.prefix} ${known.action}`;
  if (known.prefix === rule.prefix && known.action === wording) return { what, state: 'there', remark };
  return { what, state: 'yours', remark: `${remark}; left as it is, usual is ${rule.prefix} ${wording}` };
}

/** The actions in the words in which wrangler lists them. */
const WORDING = { expire: 'Expire objects', 'abort-multipart': 'Abort incomplete multipart uploads' } as const;
const OPTION = { expire: 'expire-days', 'abort-multipart': 'abort-multipart-days' } as const;

function planSecret(secret: string, found: ReadonlySet<string> | undefined, env: string): Step {
  const what = `secret ${secret}`;
  if (found?.has(secret)) return { what, state: 'there', remark: 'is there' };
  const remark =
    found === undefined
      ? `comes with the first deployment; see docs/operating.md, “Deploying”`
      : `is missing: openssl rand -base64 32 | npx wrangler secret put ${secret} --env ${env}`;
  return { what, state: 'yours', remark };
}
