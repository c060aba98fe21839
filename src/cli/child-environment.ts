/** Variables that hold a secret, by words of their name: API_TOKEN, R2_SECRET_ACCESS_KEY, CLOUDFLARE_API_KEY. */
const SECRET = /TOKEN|SECRET|PASSWORD|WEBHOOK|(?:^|_)KEY(?:_|$)/i;

/**
 * The environment for a child process, without secrets: everything the child starts, such as package scripts, can read
 * it.
 *
 * @param needed - Matches the secrets that the child uses.
 */
export function childEnvironment(needed?: RegExp, env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !SECRET.test(name) || needed?.test(name)));
}
