/** Assumptions about secrets, versions and tokens. */

import { ENDPOINT_PATH } from '../../contract/endpoint.ts';
import { soleVersion } from '../deploy/deployed.ts';
import { digestOf } from '../token/new-token.ts';
import { revokeDigests } from '../token/revoke.ts';
import { type Assumption, type Rehearsal, until, verdict } from './rehearsal.ts';

/** The maximum age of an isolate's list and the time of a read, in milliseconds, plus a second for the network. */
const REVOKED_MS = 31_500;

/** Concurrent requests that must all agree, since many isolates answer. */
const IN_A_ROW = 10;

export const ready: Assumption = {
  says: 'The service is ready within three minutes of its start or first deployment',
  isNeeded: true,
  async ask({ origin, signal }) {
    let said = 'nothing';
    const { isSo, after } = await until(
      async () => {
        const response = await fetch(`${origin}/readyz`, { redirect: 'manual' }).catch(() => undefined);
        said = response === undefined ? 'nothing' : `${response.status} ${await response.text()}`;
        return response?.status === 200;
      },
      180_000,
      signal,
    );
    return verdict(isSo, isSo ? after : `/readyz answers ${said.slice(0, 200)}`);
  },
};

export const tagKept: Assumption = {
  says: 'Setting a secret keeps the tag and the other secrets of the version',
  needsAccount: true,
  async ask({ account, pseudonymKey }) {
    const before = await account?.deployed();
    await account?.setSecrets({ PSEUDONYM_KEY: pseudonymKey });
    const after = await account?.deployed();
    const [one, other] = [before && soleVersion(before), after && soleVersion(after)];
    const isSo = one?.tag === other?.tag && one?.secrets.every((name) => other?.secrets.includes(name)) === true;
    return verdict(isSo, `tag ${one?.tag} before and ${other?.tag} after; secrets ${other?.secrets.join(', ')}`);
  },
};

export const attached: Assumption = {
  says: 'A reader and an operator attach the catalog of the table; a sender and whoever has no token do not',
  async ask(rehearsal) {
    const { reader, operator, sender } = rehearsal.tokens;
    const asked = [reader, operator, sender, ''].map(async (token) => {
      const response = await askCatalog(rehearsal, 'config', token);
      await response.body?.cancel();
      return response.status;
    });
    const statuses = await Promise.all(asked);
    return verdict(statuses.join() === '200,200,403,401', `answered ${statuses.join(', ')}`);
  },
};

/** Requests the catalog with a token. */
export function askCatalog({ origin, signal }: Rehearsal, path: string, token: string): Promise<Response> {
  return fetch(`${origin}/iceberg/v1/${path}`, { headers: { Authorization: `Bearer ${token}` }, signal });
}

export const withoutTls: Assumption = {
  says: 'What comes over http is answered 403 and not read',
  needsAccount: true,
  async ask({ origin }) {
    const url = `${origin.replace(/^https:/, 'http:')}${ENDPOINT_PATH}`;
    const response = await fetch(url, { method: 'POST', body: '{}', redirect: 'manual' });
    await response.body?.cancel();
    return verdict(response.status === 403, `answered ${response.status}`);
  },
};

export const revoked: Assumption = {
  says: 'A revoked token is refused by every isolate within 30 seconds',
  async ask(rehearsal) {
    const { tokens, store, signal } = rehearsal;
    if (!(await answersAlways(rehearsal, [422, 202]))) return verdict(false, 'the token did not work before');
    await revokeDigests(store, [digestOf(tokens.revoked)], 'rehearsal-revoked', signal);
    const { isSo, after } = await until(() => answersAlways(rehearsal, [401]), REVOKED_MS, signal);
    return verdict(isSo, after);
  },
};

export const rolledBack: Assumption = {
  says: 'After a rollback the revoked token stays refused',
  needsAccount: true,
  async ask(rehearsal) {
    const { account, signal } = rehearsal;
    const before = await account?.deployed();
    const first = before && soleVersion(before)?.id;
    if (account === undefined || first === undefined) return { answer: 'unknown', seen: 'no version has all traffic' };
    await account.deploy({});
    await account.rollBack(first);
    const after = await account.deployed();
    if ((after && soleVersion(after)?.id) !== first) return verdict(false, 'the earlier version has no traffic');
    const { isSo } = await until(() => answersAlways(rehearsal, [401]), REVOKED_MS, signal);
    return verdict(isSo, `version ${first} has the traffic again`);
  },
};

async function answersAlways(rehearsal: Rehearsal, wanted: readonly number[]): Promise<boolean> {
  const asked = Array.from({ length: IN_A_ROW }, () => statusOf(rehearsal, rehearsal.tokens.revoked));
  return (await Promise.all(asked)).every((status) => wanted.includes(status));
}

/** The status code for an empty event that is only checked. */
async function statusOf({ origin, signal }: Rehearsal, token: string): Promise<number> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const response = await fetch(`${origin}${ENDPOINT_PATH}?check`, { method: 'POST', headers, body: '{}', signal });
  await response.body?.cancel();
  return response.status;
}
