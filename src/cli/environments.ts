/** The environments of wrangler.toml that are deployed. */

/** Their names, as `--env` takes them. */
export const ENVIRONMENTS = ['staging', 'production'] as const;

/** One of them. */
export type Environment = (typeof ENVIRONMENTS)[number];

/** Reads the value of `--env`. @throws When it is none of {@link ENVIRONMENTS}. */
export function toEnvironment(name: string): Environment {
  const found = ENVIRONMENTS.find((environment) => environment === name);
  if (found === undefined) throw new Error(`Cannot use --env ${name}; give one of ${ENVIRONMENTS.join(', ')}`);
  return found;
}
