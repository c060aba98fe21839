/** wrangler inherits neither bindings nor variables, so every environment repeats them; these tests see that it does. */

import { expect, test } from 'vitest';
import { unstable_readConfig } from 'wrangler';
import { ENVIRONMENTS } from '../../src/cli/environments.ts';

/** What is read of wrangler.toml, as wrangler has checked it. */
interface Read {
  readonly name: string;
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
  readonly secrets?: { readonly required: readonly string[] };
}

const read = (env: string): Read => unstable_readConfig({ config: 'wrangler.toml', env }, { hideWarnings: true });

/** What an environment has, without the names that have to differ and without how soon a batch closes. */
function shapeOf(env: string) {
  const { name, vars, queues, r2_buckets, ratelimits, analytics_engine_datasets, triggers, observability } = read(env);
  const shared = (text: string | undefined) => text?.replace(name, 'NAME').replace(name.replaceAll('-', '_'), 'NAME');
  return {
    vars: Object.fromEntries(Object.entries(vars).map(([key, value]) => [key, shared(value)])),
    producers: queues.producers.map(({ binding, queue }) => [binding, shared(queue)]),
    consumers: queues.consumers.map(({ max_batch_timeout: _, retry_delay: __, ...consumer }) => ({
      ...consumer,
      queue: shared(consumer.queue),
      dead_letter_queue: shared(consumer.dead_letter_queue),
    })),
    buckets: r2_buckets.map(({ binding, bucket_name }) => [binding, shared(bucket_name)]),
    limits: ratelimits.map(({ name: binding, simple }) => [binding, simple]),
    datasets: analytics_engine_datasets.map(({ binding, dataset }) => [binding, shared(dataset)]),
    crons: triggers.crons,
    observability,
  };
}

test.each(ENVIRONMENTS)('%s has what the default environment has, under its own names', (env) => {
  expect(shapeOf(env)).toEqual(shapeOf(''));
});

test('staging waits and tries as production does', () => {
  const timing = (env: string) =>
    read(env).queues.consumers.map(({ max_batch_timeout, retry_delay }) => [max_batch_timeout, retry_delay]);
  expect(timing('staging')).toEqual(timing('production'));
});

test('no two environments count in the same place', () => {
  const ids = ['', ...ENVIRONMENTS].flatMap((env) => read(env).ratelimits.map(({ namespace_id }) => namespace_id));
  expect(new Set(ids).size).toBe(ids.length);
});

test.each(ENVIRONMENTS)('%s is not deployed without API_TOKEN', (env) => {
  expect(read(env).secrets?.required).toEqual(['API_TOKEN']);
});

test('every limit has the period that Retry-After names', () => {
  for (const env of ['', ...ENVIRONMENTS]) {
    expect(read(env).ratelimits.map(({ simple }) => simple.period)).toEqual([60, 60]);
  }
});
