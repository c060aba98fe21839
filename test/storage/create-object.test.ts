import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, test } from 'vitest';
import { createObject } from '../../src/storage/create-object.ts';

afterEach(() => reset());

describe('createObject()', () => {
  test('writes the lines as NDJSON without a content encoding', async () => {
    await createObject(env.BUCKET, 'landing/a.ndjson', ['{"a":1}\n', '{"a":2}\n']);
    const object = await env.BUCKET.get('landing/a.ndjson');
    expect(await object?.text()).toBe('{"a":1}\n{"a":2}\n');
    expect(object?.httpMetadata).toEqual({ contentType: 'application/x-ndjson' });
  });

  test('never overwrites', async () => {
    await createObject(env.BUCKET, 'landing/a.ndjson', ['{"a":1}\n']);
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
