/** Reads wrangler.toml. Loads wrangler, which takes a second or two. */

import { join } from 'node:path';
import { unstable_readConfig } from 'wrangler';
import { PROJECT } from './project.ts';

type Route = string | { readonly pattern: string };

/** The members of an environment that are read here, as checked by wrangler. */
export interface WranglerConfig {
  readonly name?: string | undefined;
  readonly route?: Route | undefined;
  readonly routes?: readonly Route[] | undefined;
  readonly vars: Readonly<Record<string, unknown>>;
  readonly queues: {
    readonly producers?: readonly { readonly queue: string }[];
    readonly consumers?: readonly { readonly queue: string; readonly dead_letter_queue?: string }[];
  };
  readonly r2_buckets: readonly {
    readonly binding: string;
    readonly bucket_name?: string;
    readonly jurisdiction?: string;
  }[];
  readonly analytics_engine_datasets: readonly { readonly dataset?: string }[];
}

/** Reads an environment, whatever the working directory is. */
export function readWranglerConfig(env: string): WranglerConfig {
  return unstable_readConfig({ config: join(PROJECT, 'wrangler.toml'), env }, { hideWarnings: true });
}
