/** Who asks: the token in the header against the tokens in the configuration, and what its holder may do. */

import { isOverRate, networkOf, type RateLimiter } from '../http/rate-limit.ts';
import { fail, ok, type Result } from '../result.ts';
import type { RevokedTokens } from './revoked-tokens.ts';
import type { KnownSender, Role } from './sender.ts';
import type { TokenIndex } from './token-index.ts';

/**
 * Why a request is denied: 503, since a good token may be among those that cannot be read; 401, no token or one that is
 * not known; 429, wrong tokens from one network; 403, a token of another role.
 */
export interface Denial {
  readonly reason: 'not_configured' | 'no_token' | 'unauthorized' | 'too_many_wrong_tokens' | 'forbidden_role';
}

export interface TokenConfig {
  readonly tokens: Pick<TokenIndex, 'size' | 'recognise' | 'find'>;
  readonly tokenFaults: readonly string[];
  readonly wrongTokenRate: RateLimiter | undefined;
}

/**
 * Finds the holder of the token that a request presents; whether it is revoked is not looked at. Wrong tokens are counted
 * by where they come from. Right ones pass whatever was counted, since many senders may share one address with the one
 * that has it wrong.
 */
export async function authenticate(headers: Headers, config: TokenConfig): Promise<Result<KnownSender, Denial>> {
  if (config.tokens.size === 0) return fail({ reason: 'not_configured' });
  const token = readToken(headers);
  if (token === undefined) return fail({ reason: 'no_token' });
  const sender = config.tokens.recognise(token);
  return sender === undefined ? lookUp(token, headers, config) : ok(sender);
}

/** Finds the holder of the token as {@link authenticate} does, and denies a revoked token and every role but these. */
export async function authorize(
  headers: Headers,
  config: TokenConfig & { readonly revoked: RevokedTokens },
  roles: readonly Role[],
): Promise<Result<KnownSender, Denial>> {
  const authenticated = await authenticate(headers, config);
  if (!authenticated.ok) return authenticated;
  if (await config.revoked.has(authenticated.value.tokenDigest)) return fail(await denyToken(headers, config));
  return roles.includes(authenticated.value.role ?? 'sender') ? authenticated : fail({ reason: 'forbidden_role' });
}

async function lookUp(
  token: string,
  headers: Headers,
  { tokens, tokenFaults, wrongTokenRate }: TokenConfig,
): Promise<Result<KnownSender, Denial>> {
  const sender = await tokens.find(token);
  if (sender !== undefined) return ok(sender);
  const denial = await denyToken(headers, { wrongTokenRate });
  if (denial.reason !== 'unauthorized') return fail(denial);
  // A sender that cannot be read must not be told that its token is wrong: it would give up.
  if (tokenFaults.length > 0) return fail({ reason: 'not_configured' });
  return fail(NO_TOKEN.test(token) ? { reason: 'no_token' } : denial);
}

/** Counts a wrong or revoked token and denies it. */
export async function denyToken(
  headers: Headers,
  { wrongTokenRate }: Pick<TokenConfig, 'wrongTokenRate'>,
): Promise<Denial> {
  const isOver = await isOverRate(wrongTokenRate, networkOf(headers));
  return { reason: isOver ? 'too_many_wrong_tokens' : 'unauthorized' };
}

/**
 * The bearer token (RFC 6750) of a request. The contract spells the header `Authentication`; `Authorization` is read
 * when that one holds no bearer token, as when a client has filled it with `null` or with a bare token. A header that was
 * sent twice arrives as one with a comma and is no token.
 */
function readToken(headers: Headers): string | undefined {
  return bearerToken(headers.get('Authentication')) ?? bearerToken(headers.get('Authorization'));
}

/** What stands where a token belongs and is none: the scheme once more, a placeholder, two headers in one. */
const NO_TOKEN = /^(?:bearer\b|<.*>$|\{.*\}$|\$|%.*%$)|[\s,]/i;

function bearerToken(header: string | null): string | undefined {
  if (header === null) return undefined;
  // The token starts with no blank, so that there is one way to match, however many blanks there are.
  const token = /^bearer[ \t]+([^ \t].*)$/i.exec(header.trim())?.[1]?.trim();
  return token?.replace(/^"(.+)"$/, '$1');
}
