/** What has to be switched on in the dashboard once for an account, which no command can do. */

/** One such thing. */
interface Prerequisite {
  /** How what wrangler or the API says without it is recognised. */
  readonly refusal: RegExp;
  /** What is missing and what to click. */
  readonly remedy: string;
}

/** All of them. The address opens the page of whichever account is chosen there. */
export const PREREQUISITES = {
  r2: {
    refusal: /\b10042\b/,
    remedy:
      'the account has no subscription to R2: open https://dash.cloudflare.com/?to=/:account/r2/overview and add it (it needs a way to pay and costs nothing by itself)',
  },
  analyticsEngine: {
    refusal: /\b10089\b/,
    remedy:
      'Analytics Engine is not switched on: open https://dash.cloudflare.com/?to=/:account/workers/analytics-engine and enable it',
  },
  subdomain: {
    refusal: /\b10063\b|register a workers\.dev subdomain/,
    remedy:
      'the account has no name on workers.dev: open https://dash.cloudflare.com/?to=/:account/workers/onboarding and choose one, or write routes under the environment in wrangler.toml',
  },
} as const satisfies Readonly<Record<string, Prerequisite>>;

/** What is missing from the account, when that is why wrangler has failed. */
export function missingFromAccount(said: string): string | undefined {
  return Object.values<Prerequisite>(PREREQUISITES).find(({ refusal }) => refusal.test(said))?.remedy;
}
