/**
 * The minutes of an hour in which the events of a part were received. They show which parts of the hour can hold an
 * event at all, so that few have to be read to find it. Pure.
 */

const MINUTES = 60;
const MINUTE_MS = 60_000;

export class Minutes {
  readonly #flags = new Uint8Array(MINUTES);

  /** @param time - Milliseconds since the hour began. */
  add(time: number): void {
    this.#flags[Math.floor(time / MINUTE_MS)] = 1;
  }

  /** Sixty characters, `1` for a minute with events and `0` for one without. */
  toString(): string {
    return this.#flags.join('');
  }
}

/** Whether two parts of an hour may share an event, by their minutes. A part without minutes may share any. */
export function mayShare(minutes: string, others: string | undefined): boolean {
  return others?.length !== MINUTES || Array.from(others).some((flag, at) => flag === '1' && minutes[at] === '1');
}
