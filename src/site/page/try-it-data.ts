/** The data that the page passes to the script of the try-it panel. Pure. */

/** The content of the panel's data block. */
export interface TryItData {
  /** The path that events are sent to. */
  readonly endpoint: string;
  /** The JSON text of the example for each event type. */
  readonly examples: Readonly<Record<string, string>>;
  /** The wire name of each column. */
  readonly wireNames: Readonly<Record<string, string>>;
}
