/** Authenticates a request by its token, and authorises it by the role of the holder. */

import { isOverRate, networkOf, type RateLimiter } from '../http/rate-limit.ts';
import { fail, ok, type Result } from '../result.ts';
import type { RevokedTokens } from './revoked-tokens.ts';
import type { KnownSender, Role } from './sender.ts';
import type { TokenIndex } from './token-index.ts';

/**
 * Why a request is denied: 503, when the token may be among those that cannot be read; 401, for a missing or unknown
 * token; 429, for too many wrong tokens from one network; 403, for a token of another role.
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
 * Finds the holder of the token in a request, without checking whether it is revoked. Wrong tokens are counted per
 * network. Right ones always pass, since many senders may share an address with one that has a wrong token.
 */
export async function authenticate(headers: Headers, config: TokenConfig): Promise<Result<KnownSender, Denial>> {
  if (config.tokens.size === 0) return fail({ reason: 'not_configured' });
  const token = readToken(headers);
  if (token === undefined) return fail({ reason: 'no_token' });
  const sender = config.tokens.recognise(token);
  return sender === undefined ? lookUp(token, headers, config) : ok(sender);
}

/** Finds the holder of the token as {@link authenticate} does, and denies a revoked token and all other roles. */
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
  // The token may be one that cannot be read. A sender that is told that its token is wrong would give up.
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
 * The bearer token (RFC 6750) of a request. The contract spells the header `Authentication`. `Authorization` is read
 * when that one has no bearer token, for example when a client fills it with `null` or a bare token. A header that is
 * sent twice arrives joined with a comma and is not a token.
 */
function readToken(headers: Headers): string | undefined {
  return bearerToken(headers.get('Authentication')) ?? bearerToken(headers.get('Authorization'));
}

/** What is sent in place of a token: the scheme repeated, a placeholder, or two joined headers. */
const NO_TOKEN = /^(?:bearer\b|<.*>$|\{.*\}$|\$|%.*%$)|[\s,]/i;

function bearerToken(header: string | null): string | undefined {
  if (header === null) return undefined;
  // The token cannot start with a blank, so that there is only one way to match any number of blanks. Empty quotes are no
  // token.
  const token = /^bearer[ \t]+(?!"[ \t]*"$)([^ \t].*)$/i.exec(header.trim())?.[1]?.trim();
  return token?.replace(/^"(.+)"$/, '$1');
}
