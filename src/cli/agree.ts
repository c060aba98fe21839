import { createInterface } from 'node:readline/promises';

/** Asks a yes-or-no question before something is changed. Without a terminal the answer is no. */
export async function agrees(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) {
    console.log('\nNothing has been done; add --yes to carry the plan out');
    return false;
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(`\n${question} [y/N] `);
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
}
