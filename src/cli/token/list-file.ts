/** The file `tokens.ENV.json` in the working directory, with the list of senders of an environment. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import * as v from 'valibot';
import { NO_SENDERS, type SenderList, SenderListSchema } from './sender-list.ts';

function fileOf(env: string): string {
  return resolve(`tokens.${env}.json`);
}

export function hasList(env: string): boolean {
  return existsSync(fileOf(env));
}

/** Reads the list; empty if there is no file. @throws When the file is not a list, saying where. */
export function readList(env: string): SenderList {
  if (!hasList(env)) return NO_SENDERS;
  const text = v.pipe(v.string(), v.parseJson({}, 'is not JSON'), SenderListSchema);
  const parsed = v.safeParse(text, readFileSync(fileOf(env), 'utf8'));
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  throw new Error(`Cannot read ${fileOf(env)}: ${v.getDotPath(issue) ?? 'it'} ${issue.message}`);
}

export function writeList(env: string, senders: SenderList): void {
  writeFileSync(fileOf(env), `${JSON.stringify(senders, null, 2)}\n`);
}
