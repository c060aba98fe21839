/** The address of a deployed service, from the one place that configures it: `routes` in wrangler.toml. */

import * as v from 'valibot';
import { type AskAccount, NOT_FOUND } from './cloudflare.ts';
import type { WranglerConfig } from './wrangler-config.ts';

/** The members of wrangler.toml that are read here. */
type Addressed = Partial<Pick<WranglerConfig, 'name' | 'route' | 'routes'>>;

/** The origin of the first route that names a single host; undefined if there is none. Pure. */
export function routedOrigin({ route, routes = route === undefined ? [] : [route] }: Addressed): string | undefined {
  const hosts = routes.map((one) => (typeof one === 'string' ? one : one.pattern).replace(/^https?:\/\/|\/.*$/g, ''));
  const host = hosts.find((name) => name !== '' && !name.includes('*'));
  return host && `https://${host}`;
}

/** Advice for an environment that is deployed to workers.dev; undefined if it has a route or is `staging`. */
export function adviceOnAddress(env: string, { route, routes = [] }: Addressed): string | undefined {
  if (route !== undefined || routes.length > 0 || env === 'staging') return undefined;
  return `${env} is on workers.dev, which Cloudflare means for hobby projects and which no zone defends. Give it a domain that is a
zone of the same account, under [env.${env}] in wrangler.toml (docs/operating.md, Address):

  routes = [{ pattern = "intake.example", custom_domain = true }]`;
}

/**
 * The origin of a service: its route, or its workers.dev host. @throws When the account has no workers.dev subdomain.
 */
export async function originOf(config: Addressed, ask: AskAccount): Promise<string> {
  const routed = routedOrigin(config);
  if (routed !== undefined) return routed;
  const subdomain = await subdomainOf(ask);
  if (subdomain !== undefined) return `https://${config.name}.${subdomain}.workers.dev`;
  throw new Error('Cannot find the address of the service: write routes under its environment in wrangler.toml');
}

/** The account's workers.dev subdomain, if it has one. */
export async function subdomainOf(ask: AskAccount): Promise<string | undefined> {
  return v.parse(
    v.optional(v.object({ subdomain: v.optional(v.string()) })),
    await ask('/workers/subdomain', NOT_FOUND),
  )?.subdomain;
}
