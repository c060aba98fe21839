/** Values that nest deeper than can be handled. Pure. */

/** A member of a JSON object that nests too deep; it is kept as the text that was sent. */
export class TooDeep {
  /** The member as the sender wrote it, JSON text. */
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}
