/** A change of the source of one module, which is how a bug is planted. Pure. */

/** A change of one place. */
export interface Change {
  /** The path of the module below `src/`. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** Makes a change. Throws when the source does not have exactly one such place. */
export function applyChange(source: string, { file, from, to }: Change): string {
  if (source.split(from).length === 2) return source.replace(from, () => to);
  throw new Error(`Cannot change ${file}: it does not have once what is to be changed: ${from}`);
}
