/** Installing the tokens of a list in a deployed Worker, however it is deployed. */

import { deployHere, type Secrets } from '../deploy/deploy-here.ts';
import type { InCheckout } from '../deploy/in-checkout.ts';
import type { WorkerState } from '../worker-state.ts';
import type { Ran, RunWrangler } from '../wrangler.ts';
import { planInstall } from './plan-install.ts';

/** Where tokens are installed, and from which checkout. */
export interface Target {
  readonly env: string;
  readonly state: WorkerState;
  /** See {@link tagOfCheckout}. */
  readonly checkout: string | undefined;
}

/**
 * Installs secrets so that all traffic meets them.
 *
 * @param agrees - Asks the operator before other code gets all traffic.
 * @param inCheckout - Gives the wrangler of the commit that is deployed, where that is not checked out here.
 * @returns Whether it was done; not when the operator does not agree.
 * @throws When it cannot be done, saying what to type.
 */
export async function install(
  { env, state, checkout }: Target,
  secrets: Secrets,
  run: RunWrangler,
  agrees: (question: string) => Promise<boolean>,
  inCheckout: InCheckout,
): Promise<boolean> {
  const plan = planInstall(state, env, checkout);
  switch (plan.kind) {
    case 'refused':
      throw new Error(plan.why);
    case 'deploy': {
      const { commit = checkout } = plan;
      const deploy = (by: RunWrangler) => deployHere(env, secrets, commit, by);
      succeed(await (plan.commit === undefined ? deploy(run) : inCheckout(plan.commit, deploy)));
      return true;
    }
    case 'version': {
      if (plan.question !== undefined && !(await agrees(plan.question))) return false;
      const made = succeed(
        await run(['versions', 'secret', 'bulk', '--env', env, ...tagOf(state)], JSON.stringify(secrets)),
      );
      const id = /Created version ([\da-f-]{36})/.exec(made)?.[1];
      if (id === undefined) throw new Error(`Cannot tell which version was made; wrangler says\n\n${made}`);
      succeed(await run(['versions', 'deploy', `${id}@100%`, '--env', env, '--yes']));
      return true;
    }
  }
}

function succeed({ code, stdout, stderr }: Ran): string {
  if (code === 0) return stdout;
  throw new Error(`Cannot install the tokens: wrangler says\n\n${stderr.trim() || stdout.trim()}`);
}

/** A version that is made for its secrets has the code of its predecessor, and so its tag. */
function tagOf(state: WorkerState): string[] {
  if (state.kind === 'absent') return [];
  const { tag } = state.kind === 'current' ? state.deployed : state.latest;
  return tag === undefined ? [] : ['--tag', tag];
}
