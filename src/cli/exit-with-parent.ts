/**
 * Loaded into wrangler with `--import`: ends it when its parent process ends, for whatever reason. Its own children
 * hold the same kind of channel to it, and its exit hook ends workerd.
 */

process.once('disconnect', () => process.exit());
