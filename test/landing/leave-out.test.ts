/** What waited in a queue while a guest was erased. */

import { createExecutionContext, createMessageBatch, getQueueResult, reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { v7 } from 'uuid';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Env } from '../../src/config.ts';
import { consume } from '../../src/landing/consume.ts';
import { toRejectionLine } from '../../src/storage/line.ts';
import { askToErase, PSEUDONYM_KEY, whereIs } from '../publish/erase/request.ts';

afterEach(async () => {
  vi.restoreAllMocks();
  await reset();
});

const IDENTIFIERS = ['email:zuzana@example.com'];
const BEFORE = Date.now() - 3_600_000;
const AFTER = Date.now() + 3_600_000;

function refused(time: number, email: string): string {
  const id = v7({ msecs: time });
  return toRejectionLine({
    rejection_id: id,
    rejected_at: new Date(time).toISOString(),
    sender: 'default',
    status: 422,
    problem: 'invalid-event',
    reason: 'invalid_event',
    errors: [],
    content_type: null,
    content_encoding: null,
    idempotency_key: null,
    body_fingerprint: 'f'.repeat(32),
    truncated: false,
    body_encoding: 'base64',
    body: new TextEncoder().encode(JSON.stringify({ Email: email })).toBase64(),
  });
}

/** Delivers messages that came to the queue at a time, and tells what the queue was told. */
async function deliver(queue: string, bodies: readonly unknown[], time: number, key = PSEUDONYM_KEY) {
  const using: Env = { ...env, PSEUDONYM_KEY: key };
  const messages = bodies.map((body, at) => ({ id: `m${at}`, timestamp: new Date(time), attempts: 1, body }));
  const batch = createMessageBatch(queue, messages);
  const context = createExecutionContext();
  await consume(batch, using);
  return getQueueResult(batch, context);
}

describe('consume()', () => {
  test('leaves out refused bodies of a guest who is erased, and writes all others', async () => {
    await askToErase(IDENTIFIERS);
    const message = refused(BEFORE, 'Zuzana@Example.com') + refused(BEFORE, 'john@example.com');
    const alone = refused(BEFORE, 'zuzana@example.com');
    expect(await deliver(env.REJECTED_QUEUE, [message, alone], BEFORE)).toMatchObject({
      explicitAcks: ['m0', 'm1'],
      retryMessages: [],
    });
    expect(await whereIs('ohn@example.com')).toEqual([expect.stringMatching(/^rejected\//)]);
    expect([...(await whereIs('zuzana@')), ...(await whereIs('Zuzana@'))]).toEqual([]);
  });

  test('leaves out dead letters of the guest', async () => {
    await askToErase(IDENTIFIERS);
    const bodies = [
      { Email: 'zuzana@example.com' },
      'zuzana@example.com wrote',
      new Map([['Email', 'john@example.com']]),
    ];
    expect(await deliver(env.DEAD_LETTER_QUEUE, bodies, BEFORE)).toMatchObject({ retryMessages: [] });
    expect(await whereIs('john@')).toEqual([expect.stringMatching(/^dead-letter\//)]);
    expect(await whereIs('zuzana@')).toEqual([]);
  });

  test('writes what came after the guest has asked', async () => {
    await askToErase(IDENTIFIERS);
    await deliver(env.REJECTED_QUEUE, [refused(AFTER, 'zuzana@example.com')], AFTER);
    await deliver(env.DEAD_LETTER_QUEUE, [{ Email: 'zuzana@example.com' }], AFTER);
    expect(await whereIs('zuzana@')).toEqual([
      expect.stringMatching(/^dead-letter\//),
      expect.stringMatching(/^rejected\//),
    ]);
  });

  test.each([
    ['no', ''],
    ['another', 'another key for the tests, and nothing'],
  ])('tries everything again later when it has %s key, and lands events', async (_, key) => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    await askToErase(IDENTIFIERS);
    const event = `{"event_id":"${v7({ msecs: BEFORE })}","email":"zuzana@example.com"}\n`;
    const result = await deliver(
      env.REJECTED_QUEUE,
      [refused(BEFORE, 'zuzana@example.com'), refused(BEFORE, 'john@example.com'), 'foreign', event],
      BEFORE,
      key,
    );
    expect(result.explicitAcks).toEqual(['m3']);
    expect(result.retryMessages.map(({ msgId }) => msgId).sort()).toEqual(['m0', 'm1', 'm2']);
    expect(await whereIs('event_id')).toEqual([expect.stringMatching(/^landing\//)]);
    expect([...(await whereIs('john@')), ...(await whereIs('foreign'))]).toEqual([]);
    expect(JSON.stringify(log.mock.calls)).toContain('erasures_unreadable');
    expect(JSON.stringify(log.mock.calls)).not.toContain('zuzana');
  });
});
