import { describe, expect, test } from 'vitest';
import { buildEvent } from '../../src/intake/build-event.ts';
import { SMALL_EVENT } from '../sample.ts';

async function built(event: object, headers: HeadersInit) {
  const body = {
    bytes: new Uint8Array(new TextEncoder().encode(JSON.stringify(event))),
    encoding: '',
    ending: 'whole',
  } as const;
  const result = await buildEvent(body, new Headers(headers), { name: 'default' });
  if (!result.ok) throw new Error(`refused: ${result.error.reason}`);
  const { occurred_at } = JSON.parse(result.value.line);
  return { occurred_at, warnings: result.value.warnings };
}

describe('buildEvent()', () => {
  test.each([
    ['2026-07-01T12:00:00+02:00', '2026-07-01T10:00:00.000Z', []],
    [' 2026-07-01T12:00:00Z ', '2026-07-01T12:00:00.000Z', []],
    ['2026-07-01T12:00:00', '2026-07-01T12:00:00.000Z', ['occurred_at:no_zone']],
    ['9999-12-31T23:59:59-05:00', '9999-12-31T23:59:59.999Z', ['occurred_at:beyond_9999', 'occurred_at:in_the_future']],
    ['yesterday', null, ['occurred_at:not_a_timestamp']],
    [' ', null, []],
  ])('takes ce-time %j where the body has no time', async (time, occurred_at, warnings) => {
    expect(await built(SMALL_EVENT, { 'ce-time': time })).toEqual({ occurred_at, warnings });
  });

  test('warns once where the times of body and header cannot be used', async () => {
    const event = { ...SMALL_EVENT, UpdatedUtc: 'today' };
    const unusable = await built(event, { 'ce-time': 'yesterday' });
    expect(unusable).toEqual({ occurred_at: null, warnings: ['occurred_at:not_a_timestamp'] });
    const { warnings } = await built(event, { 'ce-time': '2026-07-01T12:00:00' });
    expect(warnings).toEqual(['occurred_at:not_a_timestamp', 'occurred_at:no_zone']);
  });

  test('takes the time of the body before that of the header', async () => {
    const event = { ...SMALL_EVENT, UpdatedUtc: '2026-07-01T12:00:00Z' };
    expect(await built(event, { 'ce-time': 'yesterday' })).toEqual({
      occurred_at: '2026-07-01T12:00:00.000Z',
      warnings: [],
    });
  });

  test('takes the time of the header where that of the body cannot be read', async () => {
    const event = { ...SMALL_EVENT, UpdatedUtc: 1_714_568_400 };
    expect(await built(event, { 'ce-time': '2026-05-01T13:05:00Z' })).toEqual({
      occurred_at: '2026-05-01T13:05:00.000Z',
      warnings: ['occurred_at:not_a_timestamp'],
    });
  });
});
