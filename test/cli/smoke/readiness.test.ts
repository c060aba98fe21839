import { expect, test } from 'vitest';
import { isFitForSmoke } from '../../../src/cli/smoke/readiness.ts';

const failing = (...failed: string[]) => JSON.stringify({ status: 'not_ready', failed, checks: {} });

test.each([
  [200, '{"status":"ready"}', true],
  [503, failing('published'), true],
  [503, failing('backlog', 'dead_letters', 'rejected'), true],
  [503, failing('backlog', 'bucket'), false],
  [503, failing('secrets'), false],
  [503, failing('configuration'), false],
  [503, failing(), false],
  [403, '<!DOCTYPE html><title>Attention Required!</title>', false],
  [404, '', false],
])('`isFitForSmoke()` of %d %s is %s', (status, answer, expected) => {
  expect(isFitForSmoke(status, answer)).toBe(expected);
});
