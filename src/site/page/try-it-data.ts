/** What the page tells the script of the panel. Pure. */

/** The data block of the panel. */
export interface TryItData {
  /** The path to which events are sent. */
  readonly endpoint: string;
  /** The text of the example of each event type. */
  readonly examples: Readonly<Record<string, string>>;
  /** The wire name of each column. */
  readonly wireNames: Readonly<Record<string, string>>;
}
