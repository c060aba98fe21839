/** Plans what has to be done, from what is wanted and what was found. Pure. */

import { PREREQUISITES } from './account.ts';
import { type FoundQueue, type FoundRule, type Survey, wording } from './survey.ts';
import { RETENTION_SECONDS, type Rule, type Wanted } from './wanted.ts';

/** One line of the plan. */
export interface PlanStep {
  /** The resource it is about. */
  readonly what: string;
  /** In order, to be done by this command, left to the operator, or blocking everything else. */
  readonly state: 'there' | 'to do' | 'yours' | 'in the way';
  /** Details for the reader. */
  readonly remark: string;
  /** The wrangler arguments that do it. */
  readonly command?: readonly string[];
}

/** The default retention of a queue, in seconds (Queues, Limits). */
const DEFAULT_RETENTION_SECONDS = 345_600;

const DAYS = RETENTION_SECONDS / 86_400;

/**
 * Plans every step, including those that are already done.
 *
 * @param location - Location hint for a new bucket without a jurisdiction.
 */
export function planFor(wanted: Wanted, found: Survey, env: string, location?: string): PlanStep[] {
  return [
    ...wanted.queues.map((queue) => planQueue(queue, wanted.jurisdiction, found.queues.get(queue), env)),
    planBucket(wanted, found, env, location),
    ...wanted.rules.map((rule) => planRule(wanted, rule, found.rules ?? [], env)),
    planTokens(found.secrets, env),
    ...planAccount(wanted, found),
  ];
}

function planQueue(
  queue: string,
  jurisdiction: string | undefined,
  found: FoundQueue | undefined,
  env: string,
): PlanStep {
  const what = `queue ${queue}`;
  const retention = ['--message-retention-period-secs', String(RETENTION_SECONDS)];
  const update = ['queues', 'update', queue, ...retention, '--env', env];
  if (found === undefined) {
    const remark = `create${placeOf(jurisdiction)}, to keep messages for ${DAYS} days`;
    const command = ['queues', 'create', queue, ...retention, ...inJurisdiction(jurisdiction), '--env', env];
    return { what, state: 'to do', remark, command };
  }
  if (found.jurisdiction !== jurisdiction) {
    return { what, state: 'in the way', remark: elsewhere(found.jurisdiction ?? 'no jurisdiction', jurisdiction) };
  }
  const kept = `keeps messages for ${found.retentionSeconds / 86_400} days`;
  switch (found.retentionSeconds) {
    case RETENTION_SECONDS:
      return { what, state: 'there', remark: `is there, ${kept}` };
    case DEFAULT_RETENTION_SECONDS:
      return { what, state: 'to do', remark: `${kept}, which is the default; set it to ${DAYS}`, command: update };
    default:
      return {
        what,
        state: 'yours',
        remark: `${kept}; not changed, although ${DAYS} is recommended: ${typed(update)}`,
      };
  }
}

/** What no command can do. It blocks the first deployment, but not provisioning. */
function planAccount({ onWorkersDev }: Wanted, { hasAnalytics, subdomain }: Survey): PlanStep[] {
  const analytics: PlanStep = hasAnalytics
    ? { what: 'Analytics Engine', state: 'there', remark: 'answers' }
    : {
        what: 'Analytics Engine',
        state: 'yours',
        remark: `it is unknown whether it is enabled, since Cloudflare does not let this login read it (Account Analytics: Read). If a deployment fails with 10089, ${PREREQUISITES.analyticsEngine.remedy}`,
      };
  if (!onWorkersDev) return [analytics];
  const what = 'workers.dev';
  return subdomain === undefined
    ? [analytics, { what, state: 'yours', remark: PREREQUISITES.subdomain.remedy }]
    : [analytics, { what, state: 'there', remark: `is ${subdomain}.workers.dev` }];
}

function planBucket(
  { bucket, jurisdiction }: Wanted,
  found: Survey,
  env: string,
  location: string | undefined,
): PlanStep {
  const what = `bucket ${bucket}`;
  if (found.rules !== undefined) return { what, state: 'there', remark: `is there${placeOf(jurisdiction)}` };
  if (!found.hasR2) return { what, state: 'in the way', remark: PREREQUISITES.r2.remedy };
  const [place] = found.elsewhere;
  if (place !== undefined) return { what, state: 'in the way', remark: elsewhere(place, jurisdiction) };
  const create = ['r2', 'bucket', 'create', bucket];
  if (jurisdiction !== undefined) {
    const command = [...create, ...inJurisdiction(jurisdiction), '--env', env];
    return { what, state: 'to do', remark: `create${placeOf(jurisdiction)}`, command };
  }
  if (location === undefined) {
    // R2 would permanently choose the region of the machine that runs the command (R2, Data location).
    const remark = `where should it be? Give --location weur (or eeur, wnam, enam, apac, oc), or write a jurisdiction into wrangler.toml`;
    return { what, state: 'in the way', remark };
  }
  const remark = `create near ${location}; a hint, not a promise, and permanent for that name`;
  return { what, state: 'to do', remark, command: [...create, '--location', location, '--env', env] };
}

function planRule({ bucket, jurisdiction }: Wanted, rule: Rule, listed: readonly FoundRule[], env: string): PlanStep {
  const what = `  rule ${rule.name}`;
  const wanted = wording(rule.action, rule.days);
  const option = rule.action === 'expire' ? '--expire-days' : '--abort-multipart-days';
  const where = [...inJurisdiction(jurisdiction), '--env', env];
  const add = [
    'r2',
    'bucket',
    'lifecycle',
    'add',
    bucket,
    rule.name,
    rule.prefix,
    option,
    String(rule.days),
    '--force',
  ];
  const known = listed.find(({ name }) => name === rule.name);
  if (known === undefined) {
    return { what, state: 'to do', remark: `create: ${rule.prefix} ${wanted}`, command: [...add, ...where] };
  }
  const remark = `is there: ${known.prefix} ${known.action}`;
  if (known.prefix === rule.prefix && known.action === wanted) return { what, state: 'there', remark };
  const remove = ['r2', 'bucket', 'lifecycle', 'remove', bucket, '--name', rule.name, ...where];
  const change = `${typed(remove)} && ${typed([...add, ...where])}`;
  return { what, state: 'yours', remark: `${remark}; not changed, although wrangler.toml says ${wanted}: ${change}` };
}

function planTokens(secrets: readonly string[] | undefined, env: string): PlanStep {
  const what = 'tokens';
  if (secrets === undefined) {
    const remark = `come with the first deployment: npm run token -- new NAME --env ${env}, then npm run deploy -- --env ${env}`;
    return { what, state: 'yours', remark };
  }
  const there = secrets.filter((name) => /^API_TOKEN(S(_\d+)?)?$/.test(name));
  if (there.length > 0) return { what, state: 'there', remark: `are there: ${there.join(', ')}` };
  const remark = `there is none, the service is closed: npm run token -- new NAME --env ${env}`;
  return { what, state: 'yours', remark };
}

function inJurisdiction(jurisdiction: string | undefined): string[] {
  return jurisdiction === undefined ? [] : ['--jurisdiction', jurisdiction];
}

function placeOf(jurisdiction: string | undefined): string {
  return jurisdiction === undefined ? '' : ` in the jurisdiction ${jurisdiction}`;
}

function elsewhere(place: string, jurisdiction = 'none'): string {
  return `exists in ${place}, and the jurisdiction wanted is ${jurisdiction}. It cannot be moved: take another name in wrangler.toml, or delete it when it is empty`;
}

function typed(command: readonly string[]): string {
  return `npx wrangler ${command.join(' ')}`;
}
