/** Command lines: what cannot be understood, and what several commands read. */

/** A command line that cannot be understood. */
export class UsageError extends Error {}

/**
 * Reads a time, UTC unless it names a zone.
 *
 * @param option - The option it was given for, for the error.
 * @throws UsageError when it is none.
 */
export function readTime(option: string, text: string): Date {
  // Times here are always UTC, so a zone may be left out (ISO 8601 would call that local time).
  const time = new Date(/(?:Z|[+-]\d\d:?\d\d)$/i.test(text) || !text.includes('T') ? text : `${text}Z`);
  if (Number.isNaN(time.getTime())) {
    throw new UsageError(`Cannot use ${option}: it is no time; write it like 2026-07-10T09:00Z`);
  }
  return time;
}
