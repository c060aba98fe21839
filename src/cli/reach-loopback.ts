/** Requests to this machine never go through a proxy, which could not reach it. */

import { setGlobalProxyFromEnv } from 'node:http';

/** The environment with this machine taken out of the proxy. */
export function withoutLoopbackProxy(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const others = env.no_proxy ?? env.NO_PROXY;
  const list = ['localhost', '127.0.0.1', '::1', ...(others ? [others] : [])].join(',');
  return { ...env, no_proxy: list, NO_PROXY: list };
}

/** Has Node reach this machine directly where it was told to use a proxy (NODE_USE_ENV_PROXY, `--use-env-proxy`). */
export function reachLoopbackDirectly(): void {
  const usesProxy = process.env.NODE_USE_ENV_PROXY === '1' || process.execArgv.includes('--use-env-proxy');
  if (usesProxy) setGlobalProxyFromEnv(withoutLoopbackProxy(process.env));
}
