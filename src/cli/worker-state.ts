/** What is deployed of a Worker. Secrets belong to versions, so that this decides what installing tokens takes. */

import * as v from 'valibot';
import type { Answer, AskAccount } from './cloudflare.ts';

/** A version of the Worker. */
export interface Version {
  readonly id: string;
  /** What it was tagged with when it was deployed: the commit, see {@link tagOfCheckout}. */
  readonly tag: string | undefined;
  /** Equal for versions that differ in nothing but their secrets. */
  readonly code: string;
}

/** A version and its share of the traffic, in per cent. */
interface Share extends Version {
  readonly percentage: number;
}

/** How a Worker is deployed. */
export type WorkerState =
  /** It has not been deployed yet. */
  | { readonly kind: 'absent' }
  /** The newest version has all traffic. */
  | { readonly kind: 'current'; readonly deployed: Version }
  /** An older version has all traffic: it was rolled back to, or a newer one was only uploaded. */
  | { readonly kind: 'behind'; readonly deployed: Version; readonly latest: Version }
  /** Two versions share the traffic: a gradual deployment. */
  | { readonly kind: 'shared'; readonly shares: readonly Share[]; readonly latest: Version };

/** The code of the API for a Worker that does not exist. */
const NO_SUCH_WORKER = 10_007;

const Deployments = v.object({
  deployments: v.array(v.object({ versions: v.array(v.object({ version_id: v.string(), percentage: v.number() })) })),
});

const Versions = v.object({
  items: v.array(v.object({ id: v.string(), metadata: v.object({ created_on: v.string() }) })),
});

const Details = v.object({
  id: v.string(),
  annotations: v.optional(v.object({ 'workers/tag': v.optional(v.string()) })),
  resources: v.object({
    script: v.looseObject({ etag: v.string() }),
    script_runtime: v.optional(v.unknown()),
    bindings: v.optional(v.array(v.looseObject({ type: v.string(), name: v.string() }))),
  }),
});

/** Reads how a Worker is deployed. @throws When the API cannot tell, with what it says. */
export async function readState(worker: string, ask: AskAccount): Promise<WorkerState> {
  const script = `/workers/scripts/${worker}`;
  const deployments = await ask(`${script}/deployments`);
  if (!deployments.ok && deployments.code === NO_SUCH_WORKER) return { kind: 'absent' };
  // The newest deployment comes first.
  const [deployment] = v.parse(Deployments, resultOf(deployments)).deployments;
  if (deployment === undefined) return { kind: 'absent' };
  const shares: Share[] = [];
  for (const { version_id, percentage } of deployment.versions) {
    if (percentage > 0) shares.push({ ...(await readVersion(script, version_id, ask)), percentage });
  }
  const versions = v.parse(Versions, resultOf(await ask(`${script}/versions?deployable=true`))).items;
  const newest = versions.reduce((a, b) => (b.metadata.created_on > a.metadata.created_on ? b : a));
  const latest = shares.find(({ id }) => id === newest.id) ?? (await readVersion(script, newest.id, ask));
  const [deployed, ...others] = shares;
  if (deployed === undefined || others.length > 0) return { kind: 'shared', shares, latest };
  return deployed.id === latest.id ? { kind: 'current', deployed } : { kind: 'behind', deployed, latest };
}

async function readVersion(script: string, id: string, ask: AskAccount): Promise<Version> {
  const { resources, annotations } = v.parse(Details, resultOf(await ask(`${script}/versions/${id}`)));
  const bindings = (resources.bindings ?? []).filter(({ type }) => type !== 'secret_text');
  bindings.sort((a, b) => (a.name < b.name ? -1 : 1));
  const code = JSON.stringify([resources.script.etag, resources.script_runtime, bindings]);
  return { id, tag: annotations?.['workers/tag'], code };
}

function resultOf(answer: Answer): unknown {
  if (answer.ok) return answer.result;
  throw new Error(`Cannot see what is deployed: Cloudflare says “${answer.message}” [code: ${answer.code}]; try again`);
}
