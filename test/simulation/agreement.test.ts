/**
 * The models of the simulation and the local runtime do the same. What the local runtime does not have is not compared:
 * it counts no message that waits for a retry, delivers in order and once, and fails no call.
 */

import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import worker from '../../src/index.ts';
import { letASecondPass } from '../clock.ts';
import { ModelBucket } from './model-bucket.ts';
import { ModelQueue } from './model-queue.ts';

afterEach(async () => {
  vi.restoreAllMocks();
  await reset();
});

const KEYS = ['a', 'a/b', 'a/B', 'a0', 'é', 'a/\u{1f3e8}', 'a/\uffee'] as const;
const key = fc.constantFrom(...KEYS);

/** What is done; a condition names the state that was read last by this key. */
const operation = fc.oneof(
  fc.record({
    do: fc.constant('put' as const),
    key,
    text: fc.string({ maxLength: 5 }),
    metadata: fc.dictionary(fc.constantFrom('rows', 'events'), fc.constantFrom('1', '2')),
    condition: fc.constantFrom('none', 'absent', 'as read', 'not as read'),
  }),
  fc.record({ do: fc.constant('read' as const), key }),
  fc.record({
    do: fc.constant('list' as const),
    prefix: fc.constantFrom('', 'a', 'a/', 'z'),
    limit: fc.integer({ min: 1, max: 4 }),
    startAfter: fc.constantFrom('', ...KEYS),
  }),
  fc.record({ do: fc.constant('delete' as const), keys: fc.uniqueArray(key, { minLength: 1, maxLength: 3 }) }),
);
type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never;

/** The condition of a put, given the ETag that was read last. */
function conditionOf(condition: string, etag: string | undefined) {
  switch (condition) {
    case 'absent':
      return { etagDoesNotMatch: '*' };
    case 'as read':
      return { etagMatches: etag ?? '0'.repeat(32) };
    case 'not as read':
      return { etagDoesNotMatch: etag ?? '0'.repeat(32) };
    default:
      return {};
  }
}

/** Does something in R2, and tells what came of it. */
async function inBucket(operation: Operation, etags: Map<string, string>): Promise<unknown> {
  switch (operation.do) {
    case 'put': {
      letASecondPass();
      const onlyIf = conditionOf(operation.condition, etags.get(operation.key));
      const options = { onlyIf, customMetadata: operation.metadata };
      return (await env.BUCKET.put(operation.key, operation.text, options)) !== null;
    }
    case 'read': {
      const object = await env.BUCKET.get(operation.key);
      if (object === null) return null;
      etags.set(operation.key, object.etag);
      return [object.size, object.customMetadata, await object.text(), object.etag];
    }
    case 'list': {
      const keys: string[][] = [];
      for (let cursor: string | undefined, more = true; more; ) {
        const { prefix, limit, startAfter } = operation;
        const from = cursor === undefined ? (startAfter === '' ? {} : { startAfter }) : { cursor };
        const page = await env.BUCKET.list({ prefix, limit, ...from });
        keys.push(page.objects.map((object) => object.key));
        more = page.truncated;
        cursor = page.truncated ? page.cursor : undefined;
      }
      return keys;
    }
    case 'delete':
      return env.BUCKET.delete(operation.keys);
  }
}

/** Does the same in the model. */
function inModel(operation: Operation, model: ModelBucket, etags: Map<string, string>): unknown {
  switch (operation.do) {
    case 'put': {
      const onlyIf = conditionOf(operation.condition, etags.get(operation.key));
      const options = { onlyIf, customMetadata: operation.metadata };
      return model.put(operation.key, operation.text, 0, options) !== undefined;
    }
    case 'read': {
      const object = model.get(operation.key);
      if (object === undefined) return null;
      etags.set(operation.key, object.etag);
      return [object.body.length, object.customMetadata, new TextDecoder().decode(object.body), object.etag];
    }
    case 'list': {
      const keys: string[][] = [];
      for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
        const { prefix, limit, startAfter } = operation;
        const page = model.list({ prefix, limit, startAfter, ...(cursor !== undefined && { cursor }) });
        keys.push(page.objects.map((object) => object.key));
        cursor = page.cursor;
      }
      return keys;
    }
    case 'delete':
      return model.delete(operation.keys);
  }
}

describe('the models of the simulation do what the local runtime does', () => {
  test('ModelBucket, for any operations', async () => {
    await fc.assert(
      fc
        .asyncProperty(fc.array(operation, { minLength: 5, maxLength: 25 }), async (operations) => {
          const model = new ModelBucket();
          const [real, modelled] = [new Map<string, string>(), new Map<string, string>()];
          for (const each of operations) {
            expect(await inBucket(each, real), JSON.stringify(each)).toEqual(inModel(each, model, modelled));
          }
        })
        .afterEach(() => env.BUCKET.delete([...KEYS])),
      { numRuns: __THOROUGH__ ? 500 : 12 },
    );
  });

  test('ModelQueue, for any acknowledgements, retries and silence', async () => {
    /** What a consumer says at each delivery of a message; in the end it acknowledges. */
    const plans = fc.sample(
      fc.array(fc.constantFrom('retry' as const, 'acknowledge' as const, 'nothing' as const), { maxLength: 2 }),
      { numRuns: 30, seed: 1 },
    );
    const real = plans.map(() => 0);
    vi.spyOn(worker, 'queue').mockImplementation(async ({ messages }) => {
      for (const message of messages) {
        const number = Number(message.body);
        real[number] = message.attempts;
        const say = plans[number]?.[message.attempts - 1] ?? 'acknowledge';
        if (say === 'acknowledge') message.ack();
        if (say === 'retry') message.retry({ delaySeconds: 0 });
      }
    });
    const model = new ModelQueue('model', 101);
    for (const number of plans.keys()) {
      await env.EVENTS.send(String(number), { contentType: 'text' });
      model.send(String(number), 0);
    }
    const modelled = plans.map(() => 0);
    for (let ready = model.available(0); ready.length > 0; ready = model.available(0)) {
      model.deliver(ready);
      for (const { id, body, attempts } of ready) {
        modelled[Number(body)] = attempts;
        if (plans[Number(body)]?.[attempts - 1] === 'retry') model.retry(id, 0, 0);
        else model.acknowledge(id);
      }
    }
    await vi.waitFor(() => expect(real).toEqual(modelled), 30_000);
    await vi.waitFor(async () => expect(await env.EVENTS.metrics()).toMatchObject({ backlogCount: 0 }), 30_000);
    expect(model.messages.size).toBe(0);
  });
});
