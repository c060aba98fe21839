/** An environment that is created in an account for a rehearsal and removed after it. */

import { originOf } from '../address.ts';
import { type AskAccount, openAccount } from '../cloudflare.ts';
import { deployCheckout, type Secrets } from '../deploy/deploy-checkout.ts';
import { readDeployed } from '../deploy/deployed.ts';
import { setSecrets } from '../deploy/set-secrets.ts';
import { runGit, tagOfCheckout } from '../git.ts';
import type { ObjectStore } from '../object-store.ts';
import { type PlanStep, planFor } from '../provision/plan.ts';
import { survey } from '../provision/survey.ts';
import { type Wanted, wantedBy } from '../provision/wanted.ts';
import { outputOf, runWrangler } from '../wrangler.ts';
import { readWranglerConfig } from '../wrangler-config.ts';

export type RehearsedAccount = Awaited<ReturnType<typeof openRehearsedAccount>>;

/** Location of the bucket for the hour that it exists, if it has no jurisdiction. */
const LOCATION = 'weur';

/**
 * Opens an environment of which nothing exists yet. Its operations throw when they fail, with wrangler's message.
 *
 * @throws When any of it exists, since everything is removed at the end.
 */
export async function openRehearsedAccount(env: string) {
  const config = readWranglerConfig(env);
  const wanted = wantedBy(config);
  const ask = await openAccount(runWrangler);
  const there = await whatIsThere(wanted, ask);
  if (there.length > 0) {
    throw new Error(
      `Cannot rehearse in ${env}, since everything there is removed in the end and ${there.join(', ')} is there already. Add an environment of its own to wrangler.toml (docs/operating.md, Several environments)`,
    );
  }
  const plan = async (): Promise<PlanStep[]> => planFor(wanted, await survey(wanted, ask), env, LOCATION);
  return {
    /** Also reaches `/analytics_engine/sql`. */
    ask,
    dataset: config.analytics_engine_datasets[0]?.dataset ?? '',
    /** Creates what is missing and returns the number of steps. */
    async provision(): Promise<number> {
      const steps = await plan();
      const inTheWay = steps.find(({ state }) => state === 'in the way');
      if (inTheWay !== undefined) throw new Error(`${inTheWay.what}: ${inTheWay.remark}`);
      const commands = steps.flatMap(({ command }) => (command === undefined ? [] : [command]));
      for (const command of commands) await wrangler(command);
      return commands.length;
    },
    async deploy(secrets: Secrets): Promise<void> {
      await deployCheckout(env, secrets, await tagOfCheckout(runGit), runWrangler);
    },
    async setSecrets(secrets: Secrets): Promise<void> {
      const deployed = await readDeployed(wanted.worker, ask);
      await setSecrets({ env, deployed, checkout: await tagOfCheckout(runGit) }, secrets, runWrangler);
    },
    deployed: () => readDeployed(wanted.worker, ask),
    rollBack: (version: string) => wrangler(['rollback', version, '--env', env, '--yes', '--message', 'Rehearsal']),
    origin: () => originOf(config, ask),
    /**
     * Removes everything, including the objects of the bucket, one after another, and ignores failures. Returns what is
     * left.
     */
    async remove(store: Pick<ObjectStore, 'list' | 'delete'>): Promise<readonly string[]> {
      for (const queue of wanted.queues) {
        await runWrangler(['queues', 'consumer', 'remove', queue, wanted.worker, '--env', env]);
      }
      await runWrangler(['delete', '--env', env, '--force']);
      for (const queue of wanted.queues) await runWrangler(['queues', 'delete', queue, '--env', env]);
      const at = wanted.jurisdiction === undefined ? [] : ['--jurisdiction', wanted.jurisdiction];
      for await (const { key } of store.list('')) await store.delete(key);
      await runWrangler(['r2', 'bucket', 'delete', wanted.bucket, ...at, '--env', env]);
      return whatIsThere(wanted, ask);
    },
  };
}

async function whatIsThere(wanted: Wanted, ask: AskAccount): Promise<string[]> {
  const { queues, rules, secrets } = await survey(wanted, ask);
  return [
    ...[...queues.keys()].map((queue) => `queue ${queue}`),
    ...(rules === undefined ? [] : [`bucket ${wanted.bucket}`]),
    ...(secrets === undefined ? [] : [`Worker ${wanted.worker}`]),
  ];
}

async function wrangler(command: readonly string[]): Promise<void> {
  outputOf(await runWrangler(command), command.slice(0, 3).join(' '));
}
