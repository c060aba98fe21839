import { afterEach, describe, expect, test, vi } from 'vitest';
import { log, logError, runningVersion } from '../../src/telemetry/log.ts';

afterEach(() => void vi.restoreAllMocks());

/** What one call writes, and to which stream. */
function written(write: () => void): { readonly stream: 'log' | 'error'; readonly line: unknown }[] {
  const lines: { stream: 'log' | 'error'; line: unknown }[] = [];
  for (const stream of ['log', 'error'] as const) {
    vi.spyOn(console, stream).mockImplementation((...parts: unknown[]) => {
      expect(parts).toHaveLength(1);
      lines.push({ stream, line: parts[0] });
    });
  }
  write();
  return lines;
}

const [told] = written(() => log('batch', { messages: 3, queue: 'a "b"\n', reason: undefined, path: null }));

describe('log()', () => {
  test('writes one object, whose fields are what is known', () => {
    expect(told).toEqual({
      stream: 'log',
      line: { event: 'batch', messages: 3, queue: 'a "b"\n', path: null, version: runningVersion() },
    });
    expect(Object.keys(Object(told?.line))).toEqual(['event', 'messages', 'queue', 'path', 'version']);
  });

  test('has it printed as one line of JSON, which npm start and a search in a tail read', () => {
    const line = Object(told?.line);
    const printed = line[Symbol.for('nodejs.util.inspect.custom')]();
    expect(printed).toBe(
      `{"event":"batch","messages":3,"queue":"a \\"b\\"\\n","path":null,"version":${JSON.stringify(runningVersion())}}`,
    );
    expect(printed).toBe(JSON.stringify(line));
    expect(structuredClone(line)).toEqual(line);
  });
});

describe('logError()', () => {
  test.each([
    [new TypeError('Cannot read it'), { error: 'TypeError', message: 'Cannot read it' }],
    ['a text that was thrown, which may hold anything', { error: 'string', message: '' }],
    [{ message: 'of no error' }, { error: 'object', message: '' }],
  ])('writes what was thrown as name and message: %j', (error, expected) => {
    expect(written(() => logError('store_refused', error, { path: 'r2' }))).toEqual([
      { stream: 'error', line: { event: 'store_refused', ...expected, path: 'r2', version: runningVersion() } },
    ]);
  });
});
