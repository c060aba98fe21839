/**
 * The minutes of an hour in which the events of a part were received. They say which parts of the hour can hold an
 * event at all, so that looking for it reads few of them. Pure.
 */

const MINUTES = 60;
const MINUTE_MS = 60_000;

export class Minutes {
  readonly #flags = new Uint8Array(MINUTES);

  /** Adds the minute of a moment; false, and nothing is added, when it is not of this hour. Both in ms since 1970. */
  add(time: number, hourStart: number): boolean {
    const minute = Math.floor((time - hourStart) / MINUTE_MS);
    if (minute < 0 || minute >= MINUTES) return false;
    this.#flags[minute] = 1;
    return true;
  }

  /** Whether a part with these minutes, as {@link toString} writes them, may share an event. Without any, it may. */
  mayShare(written: string | undefined): boolean {
    return written?.length !== MINUTES || this.#flags.some((flag, minute) => flag === 1 && written[minute] === '1');
  }

  /** Sixty characters, `1` for a minute with events and `0` for one without. */
  toString(): string {
    return this.#flags.join('');
  }
}
