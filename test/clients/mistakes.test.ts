/** The table of mistakes on the page, held against what the running service answers. */

import { expect, test } from 'vitest';
import { ask } from '../../src/site/ask.ts';
import { MISTAKES, requestOf } from '../../src/site/words/mistakes.ts';
import { setUp } from './service.ts';

const { service } = setUp();

test.each(MISTAKES)('`ask()` says of "$name" what the service says', async (mistake) => {
  const response = await fetch(requestOf(mistake, service().endpoint, service().token));
  const answer = (await response.json()) as {
    readonly detail?: string;
    readonly errors?: readonly { readonly detail: string }[];
    readonly response?: { readonly warnings: readonly string[] };
  };
  const { status, findings } = await ask(mistake);
  expect(response.status).toBe(status);
  const details = answer.errors?.length === 1 ? answer.errors.map(({ detail }) => detail) : [answer.detail];
  expect(answer.response?.warnings ?? details).toEqual(findings);
});
