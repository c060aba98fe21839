/** Reads what is deployed of a Worker. */

import * as v from 'valibot';
import { type AskAccount, NOT_FOUND } from '../cloudflare.ts';

/** The deployed state of a Worker. */
export interface Deployed {
  /** The versions that receive traffic, with their shares in per cent. */
  readonly shares: readonly (Version & { readonly percentage: number })[];
  /** The version created last, with or without traffic. */
  readonly newest: Version;
}

/** The version that receives all traffic; undefined if several share it. */
export function soleVersion({ shares: [version, ...others] }: Deployed): Version | undefined {
  return others.length === 0 ? version : undefined;
}

const Deployments = v.object({
  deployments: v.array(v.object({ versions: v.array(v.object({ version_id: v.string(), percentage: v.number() })) })),
});

const Versions = v.object({
  items: v.array(v.object({ id: v.string(), metadata: v.object({ created_on: v.string() }) })),
});

const Details = v.object({
  annotations: v.optional(v.object({ 'workers/tag': v.optional(v.string()) })),
  resources: v.object({ bindings: v.optional(v.array(v.looseObject({ type: v.string(), name: v.string() }))) }),
});

/** Reads what is deployed of a Worker; undefined if nothing is. @throws When the API fails, with its message. */
export async function readDeployed(worker: string, ask: AskAccount): Promise<Deployed | undefined> {
  const script = `/workers/scripts/${worker}`;
  const deployments = await ask(`${script}/deployments`, NOT_FOUND);
  if (deployments === undefined) return undefined;
  // The newest deployment comes first.
  const [deployment] = v.parse(Deployments, deployments).deployments;
  if (deployment === undefined) return undefined;
  const shares: (Version & { percentage: number })[] = [];
  for (const { version_id, percentage } of deployment.versions) {
    if (percentage > 0) shares.push({ ...(await readVersion(script, version_id, ask)), percentage });
  }
  const versions = v.parse(Versions, await ask(`${script}/versions?deployable=true`)).items;
  const { id } = versions.reduce((a, b) => (b.metadata.created_on > a.metadata.created_on ? b : a));
  return { shares, newest: shares.find((share) => share.id === id) ?? (await readVersion(script, id, ask)) };
}

export type Version = Awaited<ReturnType<typeof readVersion>>;

/** Reads the tag of a version from its deployment, which is the commit, see {@link tagOfCheckout}; and its secrets' names. */
async function readVersion(script: string, id: string, ask: AskAccount) {
  const { resources, annotations } = v.parse(Details, await ask(`${script}/versions/${id}`));
  const secrets = (resources.bindings ?? []).filter(({ type }) => type === 'secret_text').map(({ name }) => name);
  return { id, tag: annotations?.['workers/tag'], secrets };
}
