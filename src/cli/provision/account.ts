/** What has to be enabled once per account in the dashboard, which no command can do. */

interface Prerequisite {
  /** Matches what wrangler or the API says if it is missing. */
  readonly refusal: RegExp;
  /** What is missing and where to enable it. */
  readonly remedy: string;
}

/** The links open the page for the account that is selected there. */
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

/** What is missing from the account, if that explains wrangler's output. */
export function missingFromAccount(said: string): string | undefined {
  return Object.values<Prerequisite>(PREREQUISITES).find(({ refusal }) => refusal.test(said))?.remedy;
}
