/**
 * Reads the account over Cloudflare's API. Changes are left to wrangler; reading bypasses it, because wrangler prints
 * tables for people, omits the retention of a queue, and takes a second to start.
 */

import { parseOrUndefined } from '../json/parse-plainly.ts';
import type { RunWrangler } from './wrangler.ts';

/**
 * Requests a path below the account, such as `/queues`.
 *
 * @param absent - The code of the error for what does not exist.
 * @returns The result; undefined if the answer is that error.
 * @throws When the API does not answer, refuses the credentials, or answers with another error.
 */
export type AskAccount = (
  path: string,
  absent?: number,
  headers?: Readonly<Record<string, string>>,
) => Promise<unknown>;

/** Error code for a Worker that does not exist, and for an account without a name on workers.dev. */
export const NOT_FOUND = 10_007;

/** Codes about credentials, not the request: not authenticated, no permission (Cloudflare API, error codes). */
const AUTH_CODES: readonly number[] = [9106, 9109, 10000, 10001];

/**
 * Finds the account and its credentials: those of the environment, as wrangler reads them, or those of `wrangler
 * login`.
 *
 * @throws When nobody is logged in, or when it is not clear which account is meant.
 */
export async function openAccount(run: RunWrangler, env: NodeJS.ProcessEnv = process.env): Promise<AskAccount> {
  const base = env.CLOUDFLARE_API_BASE_URL ?? 'https://api.cloudflare.com/client/v4';
  const credentials = await credentialsFrom(run, env);
  const account = env.CLOUDFLARE_ACCOUNT_ID ?? (await onlyAccount(run));
  return async (path, absent, headers) => {
    const url = `${base}/accounts/${account}${path}`;
    const response = await fetch(url, { headers: { ...credentials, ...headers } }).catch((cause: unknown) => {
      throw new Error(`Cannot ask Cloudflare: ${new URL(base).host} does not answer; try again`, { cause });
    });
    const { status } = response;
    // Undefined if it is not JSON, such as a proxy's error page.
    const body = parseOrUndefined(await response.text()) as Body | undefined;
    if (body?.success === true) return body.result;
    // The SQL API of Analytics Engine has no envelope.
    if (body !== undefined && body.success === undefined && status === 200) return body;
    const [error] = body?.errors ?? [];
    if (error === undefined)
      throw new Error(`Cannot read ${path}: Cloudflare answers ${status} without a reason; try again`);
    const { code, message } = error;
    if (code === absent) return undefined;
    const isAuth = status === 401 || status === 403 || AUTH_CODES.includes(code);
    const remedy = isAuth
      ? `${LOG_IN}. An API token needs the permissions Workers Scripts, Queues and Workers R2 Storage: Edit`
      : 'try again';
    throw new Error(`Cannot read ${path}: Cloudflare says “${message}” [code: ${code}]; ${remedy}`);
  };
}

const LOG_IN = 'log in with npx wrangler login, or set CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID';

async function credentialsFrom(run: RunWrangler, env: NodeJS.ProcessEnv): Promise<Record<string, string>> {
  if (env.CLOUDFLARE_API_TOKEN) return { authorization: `Bearer ${env.CLOUDFLARE_API_TOKEN}` };
  const { code, stdout } = await run(['auth', 'token', '--json']);
  if (code !== 0) throw new Error(`Cannot ask Cloudflare: nobody is logged in; ${LOG_IN}`);
  const auth = JSON.parse(stdout) as { type: string; token?: string; key?: string; email?: string };
  return auth.type === 'api_key'
    ? { 'x-auth-key': auth.key ?? '', 'x-auth-email': auth.email ?? '' }
    : { authorization: `Bearer ${auth.token}` };
}

async function onlyAccount(run: RunWrangler): Promise<string> {
  const { code, stdout } = await run(['whoami', '--json']);
  if (code !== 0) throw new Error(`Cannot ask Cloudflare: nobody is logged in; ${LOG_IN}`);
  const { accounts = [] } = JSON.parse(stdout) as { accounts?: readonly { id: string; name: string }[] };
  const [account, ...others] = accounts;
  if (account !== undefined && others.length === 0) return account.id;
  const choice = accounts.map(({ id, name }) => `\n  ${id}  ${name}`).join('');
  throw new Error(`Cannot tell which account is meant: set CLOUDFLARE_ACCOUNT_ID to one of${choice || ' yours'}`);
}

interface Body {
  readonly success?: boolean;
  readonly result?: unknown;
  readonly errors?: readonly { readonly code: number; readonly message: string }[];
}
