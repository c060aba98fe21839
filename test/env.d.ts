import type { Env } from '../src/config.ts';

declare global {
  namespace Cloudflare {
    /** What the tests of the Worker find in `env`: everything is configured. */
    interface Env extends Required<WorkerEnv> {}
    interface GlobalProps {
      mainModule: typeof import('../src/index.ts');
    }
  }
  type WorkerEnv = Env;
}
