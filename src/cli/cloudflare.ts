/**
 * Reads the account over Cloudflare's API. Changes are left to wrangler; reading bypasses it, because wrangler prints
 * tables for people, omits the retention of a queue, and takes a second to start.
 */

import { parseOrUndefined } from '../json/parse-plainly.ts';
import type { RunWrangler } from './wrangler.ts';

export type Answer =
  | { readonly ok: true; readonly result: unknown }
  /** Code of its first error, such as 10007 for a Worker that does not exist, and its message. */
  | { readonly ok: false; readonly code: number; readonly message: string };

/**
 * Requests a path below the account, such as `/queues`.
 *
 * @throws When the API does not answer, or refuses the credentials.
 */
export type AskAccount = (path: string, headers?: Readonly<Record<string, string>>) => Promise<Answer>;

/** A 403 that is not about credentials: the account has no R2 subscription. */
export const NO_R2_SUBSCRIPTION = 10_042;

/** Error code for a Worker that does not exist. */
export const NO_SUCH_WORKER = 10_007;

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
  return async (path, headers) => {
    const url = `${base}/accounts/${account}${path}`;
    const response = await fetch(url, { headers: { ...credentials, ...headers } }).catch((cause: unknown) => {
      throw new Error(`Cannot ask Cloudflare: ${new URL(base).host} does not answer; try again`, { cause });
    });
    const answer = readAnswer(await response.text(), response.status, path);
    if (answer.ok || answer.code === NO_R2_SUBSCRIPTION) return answer;
    if (response.status === 401 || response.status === 403 || AUTH_CODES.includes(answer.code)) {
      throw new Error(
        `Cannot read ${path}: Cloudflare says “${answer.message}” [code: ${answer.code}]; ${LOG_IN}. An API token needs the permissions Workers Scripts, Queues and Workers R2 Storage: Edit`,
      );
    }
    return answer;
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

function readAnswer(text: string, status: number, path: string): Answer {
  // Undefined if it is not JSON, such as a proxy's error page.
  const body = parseOrUndefined(text) as Body | undefined;
  if (body?.success === true) return { ok: true, result: body.result };
  // The SQL API of Analytics Engine has no envelope.
  if (body !== undefined && body.success === undefined && status === 200) return { ok: true, result: body };
  const [error] = body?.errors ?? [];
  if (error === undefined)
    throw new Error(`Cannot read ${path}: Cloudflare answers ${status} without a reason; try again`);
  return { ok: false, ...error };
}

interface Body {
  readonly success?: boolean;
  readonly result?: unknown;
  readonly errors?: readonly { readonly code: number; readonly message: string }[];
}
