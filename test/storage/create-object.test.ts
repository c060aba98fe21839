import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test } from 'vitest';
import { createObject } from '../../src/storage/create-object.ts';
import { ndjson } from '../../src/storage/line.ts';
import { letASecondPass } from '../clock.ts';

afterEach(() => reset());

describe('createObject()', () => {
  test('writes the lines as NDJSON without a content encoding', async () => {
    await createObject(env.BUCKET, 'landing/a.ndjson', ['{"a":1}\n', '{"a":2}\n']);
    const object = await env.BUCKET.get('landing/a.ndjson');
    expect(await object?.text()).toBe('{"a":1}\n{"a":2}\n');
    expect(object?.httpMetadata).toEqual({ contentType: 'application/x-ndjson' });
  });

  test('says in the metadata what is in it, for those who only list', async () => {
    const ids = ['01a21ef9-f32d-7279-bda2-96945fb413af', '01a21ef0-f32d-7279-bda2-96945fb413af'];
    await createObject(
      env.BUCKET,
      'landing/a.ndjson',
      ids.map((id) => ndjson({ event_id: id, sender: 'a' })),
    );
    const { customMetadata } = (await env.BUCKET.head('landing/a.ndjson')) ?? {};
    expect(customMetadata).toEqual({
      rows: '2',
      events: '2',
      first_received_at: '2026-11-27T21:37:17.101Z',
      senders: 'a=2',
    });
    await createObject(env.BUCKET, 'dead-letter/a.ndjson', ['{"message_id":"m"}\n']);
    expect((await env.BUCKET.head('dead-letter/a.ndjson'))?.customMetadata).toEqual({ rows: '1', events: '0' });
  });

  test('never overwrites', async () => {
    await createObject(env.BUCKET, 'landing/a.ndjson', ['{"a":1}\n']);
    letASecondPass();
    await expect(createObject(env.BUCKET, 'landing/a.ndjson', ['{"a":2}\n'])).rejects.toThrow(
      'an object of that name exists',
    );
    expect(await (await env.BUCKET.get('landing/a.ndjson'))?.text()).toBe('{"a":1}\n');
  });

  test('never writes an empty object', async () => {
    await expect(createObject(env.BUCKET, 'landing/a.ndjson', [])).rejects.toThrow('there is no line to write');
    expect(await env.BUCKET.head('landing/a.ndjson')).toBeNull();
  });
});
