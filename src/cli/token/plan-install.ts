/** How tokens get into a Worker, from how it is deployed. Pure. */

import type { Version, WorkerState } from '../worker-state.ts';

/** What installing takes. */
export type InstallPlan =
  /**
   * A version is made from the newest one, then gets all traffic (`wrangler versions secret bulk`, `versions deploy`).
   * Where that changes which code runs, the operator is asked first.
   */
  | { readonly kind: 'version'; readonly question?: string }
  /** The code that is deployed is deployed again with the tokens, from its commit, or from here when there is none. */
  | { readonly kind: 'deploy'; readonly commit?: string }
  | { readonly kind: 'refused'; readonly why: string };

/**
 * Plans it. `wrangler secret bulk` is not used: Cloudflare refuses it while the newest version does not have all traffic
 * (code 10215), and it would drop the tag that names the commit. `versions secret bulk` copies the newest version, which
 * after a rollback is the bad one.
 *
 * @param checkout - The tag of a version that would be deployed from here.
 */
export function planInstall(state: WorkerState, env: string, checkout: string | undefined): InstallPlan {
  switch (state.kind) {
    case 'absent': {
      const why = `Nothing is deployed for ${env} yet: npm run deploy -- --env ${env} deploys it together with its tokens`;
      return { kind: 'refused', why };
    }
    case 'current':
      return { kind: 'version' };
    case 'shared': {
      const { shares, latest } = state;
      const choices = shares
        .map(({ id, percentage }) => `  ${chooses(id, env)}    (it has ${percentage} % now)`)
        .join('\n');
      if (shares.some(({ id }) => id === latest.id)) {
        return { kind: 'version', question: sharedQuestion(latest.id, choices) };
      }
      const why = `${shares.length} versions share the traffic, and neither is the newest. Give one of them all traffic, then install again:\n\n${choices}`;
      return { kind: 'refused', why };
    }
    case 'behind': {
      const { deployed, latest } = state;
      if (deployed.code === latest.code) return { kind: 'version' };
      const { tag } = deployed;
      if (tag !== undefined && tag === checkout) return { kind: 'deploy' };
      if (tag !== undefined && !tag.endsWith('+')) return { kind: 'deploy', commit: tag };
      return { kind: 'refused', why: checkOut(deployed, latest.id, env) };
    }
  }
}

function chooses(id: string, env: string): string {
  return `npx wrangler versions deploy ${id}@100% --env ${env} --yes`;
}

function sharedQuestion(id: string, choices: string): string {
  return `Two versions share the traffic, and tokens belong to versions. To work everywhere, or nowhere, the tokens go into a
version made from ${id}, the newest, which then gets all traffic. To decide for the other one, answer n, give it
all traffic, and install again:

${choices}

Go on with the newest?`;
}

function checkOut({ id, tag }: Version, latest: string, env: string): string {
  const commit = tag?.replace('+', '') ?? 'COMMIT';
  const origin =
    tag === undefined
      ? 'It is not known from which commit it was deployed; put it in place of COMMIT'
      : `It was deployed from ${commit}, with changes that were not committed; make them again before you install`;
  return `${env} runs version ${id}, while ${latest} with other code is the newest: somebody rolled back, or only uploaded it.
Cloudflare would put tokens into the newest one, so the code that runs has to be deployed once more, with them. ${origin}:

  npm run --silent token -- secrets --env ${env} > ../secrets.json
  git worktree add ../installing ${commit} && cd ../installing && npm ci
  npx wrangler deploy --minify --env ${env} --secrets-file ../secrets.json && rm ../secrets.json

To run the newest version instead: ${chooses(latest, env)}`;
}
