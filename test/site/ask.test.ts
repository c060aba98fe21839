import { expect, test } from 'vitest';
import { ask } from '../../src/site/ask.ts';
import { ADVICE } from '../../src/site/words/advice.ts';
import { MISTAKES } from '../../src/site/words/mistakes.ts';

test.each(MISTAKES)('`ask()` finds something wrong with "$name"', async (mistake) => {
  const { status, findings } = await ask(mistake);
  expect(status === 202 || (status >= 400 && status < 500)).toBe(true);
  expect(findings).toHaveLength(1);
});

test('the page shows fifteen different mistakes', async () => {
  const answers = await Promise.all(MISTAKES.map(ask));
  expect(new Set(answers.map(({ findings }) => findings[0])).size).toBe(15);
});

test('the advice for a reservation without a room is the remedy of the mistake', () => {
  const { send = '' } = ADVICE.find(({ situation }) => situation.startsWith('No room')) ?? {};
  const { remedy = '' } = MISTAKES.find(({ name }) => name === 'No room yet') ?? {};
  expect(send).toContain(/`(\w+)`/.exec(remedy)?.[1]);
});
