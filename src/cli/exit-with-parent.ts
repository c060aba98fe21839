/**
 * Loaded into wrangler with `--import`: it ends when the process that started it does, however that ended. Its own
 * children hold the same kind of channel to it, and workerd is ended by its exit hook.
 */

process.once('disconnect', () => process.exit());
