/** wrangler inherits neither bindings nor variables, so every environment repeats them; these tests see that it does. */

import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { experimental_readRawConfig, unstable_readConfig } from 'wrangler';
import { environments } from '../../src/cli/environments.ts';

/** What is read of wrangler.toml, as wrangler has checked it. */
interface Read {
  readonly name: string;
  readonly preview_urls: boolean;
  readonly vars: Readonly<Record<string, string>>;
  readonly queues: {
    readonly producers: readonly { readonly binding: string; readonly queue: string }[];
    readonly consumers: readonly {
      readonly queue: string;
      readonly dead_letter_queue?: string;
      readonly max_batch_timeout: number;
      readonly retry_delay: number;
    }[];
  };
  readonly r2_buckets: readonly { readonly binding: string; readonly bucket_name: string }[];
  readonly ratelimits: readonly {
    readonly name: string;
    readonly namespace_id: string;
    readonly simple: { readonly period: number };
  }[];
  readonly analytics_engine_datasets: readonly { readonly binding: string; readonly dataset: string }[];
  readonly triggers: { readonly crons: readonly string[] };
  readonly observability: object;
  readonly workers_dev?: boolean;
  readonly routes?: readonly unknown[];
  readonly secrets?: object;
}

const ENVIRONMENTS = environments();

const read = (env: string, config = 'wrangler.toml'): Read =>
  unstable_readConfig({ config, env }, { hideWarnings: true });

/** What may differ from one environment to another: for how long something is kept, and where the bucket is reached. */
const OWN = /^KEEP_|^S3_ENDPOINT$/;

/** What the default environment alone has. */
const LOCAL = 'ACCEPT_SHORT_TOKENS';

/** What an environment has, without the names that have to differ and without how soon a batch closes. */
function shapeOf(env: string, config?: string) {
  const { name, vars, queues, r2_buckets, ratelimits, analytics_engine_datasets, ...rest } = read(env, config);
  const shared = (text: string | undefined) => text?.replace(name, 'NAME').replace(name.replaceAll('-', '_'), 'NAME');
  return {
    vars: Object.fromEntries(
      Object.entries(vars)
        .filter(([key]) => env !== '' || key !== LOCAL)
        .map(([key, value]) => [key, OWN.test(key) ? '' : shared(value)]),
    ),
    producers: queues.producers.map(({ binding, queue }) => [binding, shared(queue)]),
    consumers: queues.consumers.map(({ max_batch_timeout: _, retry_delay: __, ...consumer }) => ({
      ...consumer,
      queue: shared(consumer.queue),
      dead_letter_queue: shared(consumer.dead_letter_queue),
    })),
    buckets: r2_buckets.map(({ binding, bucket_name }) => [binding, shared(bucket_name)]),
    limits: ratelimits.map(({ name: binding, simple }) => [binding, simple]),
    datasets: analytics_engine_datasets.map(({ binding, dataset }) => [binding, shared(dataset)]),
    crons: rest.triggers.crons,
    observability: rest.observability,
  };
}

const timingOf = (env: string, config?: string) =>
  read(env, config).queues.consumers.map(({ max_batch_timeout, retry_delay }) => [max_batch_timeout, retry_delay]);

test('`environments()` finds those that wrangler reads, in their order', () => {
  expect(ENVIRONMENTS).toEqual(
    Object.keys(experimental_readRawConfig({ config: 'wrangler.toml' }).rawConfig.env ?? {}),
  );
});

test.each(ENVIRONMENTS)('%s has what the default environment has, under its own names', (env) => {
  expect(shapeOf(env)).toEqual(shapeOf(''));
});

test.each(ENVIRONMENTS)('%s states everything that is not inherited, as the default environment does', (env) => {
  const { rawConfig } = experimental_readRawConfig({ config: 'wrangler.toml' });
  const stated = Object.keys(rawConfig.env?.[env] ?? {}).filter((key) => !['routes', 'workers_dev'].includes(key));
  const inherited = [
    'main',
    'compatibility_date',
    'compatibility_flags',
    'send_metrics',
    'keep_names',
    'build',
    'assets',
  ];
  const known = [...inherited, 'upload_source_maps', 'preview_urls', '$schema', 'env'];
  expect(stated.sort()).toEqual(
    Object.keys(rawConfig)
      .filter((key) => !known.includes(key))
      .sort(),
  );
});

test.each(ENVIRONMENTS)('%s waits and tries as every other', (env) => {
  expect(timingOf(env)).toEqual(timingOf('production'));
});

test('no two environments count in the same place', () => {
  const ids = ['', ...ENVIRONMENTS].flatMap((env) => read(env).ratelimits.map(({ namespace_id }) => namespace_id));
  expect(new Set(ids).size).toBe(ids.length);
});

test.each(ENVIRONMENTS)(
  '%s answers at one address: not at those of versions, and with a route not on workers.dev',
  (env) => {
    const { preview_urls, workers_dev, routes = [] } = read(env);
    expect(preview_urls).toBe(false);
    if (routes.length > 0) expect(workers_dev).not.toBe(true);
  },
);

test.each(ENVIRONMENTS)('%s can be deployed with named senders alone', (env) => {
  expect(read(env).secrets).toBeUndefined();
});

test('every limit has the period that Retry-After names', () => {
  for (const env of ['', ...ENVIRONMENTS]) {
    expect([...new Set(read(env).ratelimits.map(({ simple }) => simple.period))]).toEqual([60]);
  }
});

test('the command of docs/operating.md adds an environment that has what every other has', () => {
  const [, command = ''] = /```sh\n(added=[\s\S]*?)```/.exec(readFileSync('docs/operating.md', 'utf8')) ?? [];
  const folder = mkdtempSync(join(tmpdir(), 'environments-'));
  const config = join(folder, 'wrangler.toml');
  copyFileSync('wrangler.toml', config);
  execFileSync('bash', ['-c', command], { cwd: folder });
  expect(environments(config)).toEqual([...ENVIRONMENTS, 'production-eu']);
  expect(read('production-eu', config).name).toBe('reservation-events-production-eu');
  expect(shapeOf('production-eu', config)).toEqual(shapeOf('production', config));
  expect(timingOf('production-eu', config)).toEqual(timingOf('production', config));
  const idsOf = (env: string) => read(env, config).ratelimits.map(({ namespace_id }) => namespace_id);
  expect(idsOf('production-eu')).not.toEqual(idsOf('production'));
});
