/** The environment of child processes. */

/** Names of variables that hold a secret, by their last words: API_TOKEN, R2_SECRET_ACCESS_KEY, CLOUDFLARE_API_KEY. */
const SECRET = /TOKEN|SECRET|PASSWORD|WEBHOOK|(?:^|_)KEY(?:_|$)/i;

/**
 * The variables of this process without secrets, since what a child process starts, scripts of packages among it, sees all
 * of them.
 *
 * @param needed - The secrets that the child uses.
 */
export function childEnvironment(needed?: RegExp, env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !SECRET.test(name) || needed?.test(name)));
}
