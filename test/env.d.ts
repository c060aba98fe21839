import type { Env } from '../src/config.ts';

declare global {
  /** Whether proofs run in full. */
  const __THOROUGH__: boolean;
  namespace Cloudflare {
    /** What the tests of the Worker find in `env`: everything is configured. */
    interface Env extends Required<WorkerEnv> {}
    interface GlobalProps {
      mainModule: typeof import('../src/index.ts');
    }
  }
  type WorkerEnv = Env;
}
