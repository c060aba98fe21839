/** The panel to try it, against the running service. */

import type { Page } from 'playwright-core';
import { describe, expect, test, vi } from 'vitest';
import { createObjectStore } from '../../src/cli/object-store.ts';
import { NARROW, setUp, violations } from './visit.ts';

const { service, visit } = setUp();

/** The panel, with the token filled in. */
async function openPanel(options = {}) {
  const visited = await visit('/', options);
  const { page } = visited;
  await page.getByLabel('Token').fill(service().token);
  return { ...visited, page, body: page.getByRole('textbox', { name: 'Body' }) };
}

const verdict = (page: Page) => page.getByRole('status').locator('.verdict');
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** The lines of the body that something is said of, with what is said. */
const marked = (page: Page) => page.locator('.marks .line:is(.bad, .later)').allTextContents();

/** All rows in `landing/`. */
async function landed(): Promise<string> {
  const store = createObjectStore(service().store);
  const texts: string[] = [];
  for await (const { key } of store.list('landing/')) texts.push(new TextDecoder().decode(await store.get(key)));
  return texts.join('');
}

/** Changes the event of the panel, or replaces the body, has it checked, and waits for the verdict. */
async function check(change: object | string, expected: string, options = {}) {
  const panel = await openPanel(options);
  const { page, body } = panel;
  const event = JSON.parse(await body.inputValue());
  await body.fill(typeof change === 'string' ? change : JSON.stringify({ ...event, ...change }, null, 2));
  await press(page, 'Check only');
  await expect.poll(() => verdict(page).textContent()).toBe(expected);
  return panel;
}

describe('check only', () => {
  test('finds nothing odd in an example', async () => {
    const { page } = await openPanel();
    await page.getByLabel('Event', { exact: true }).selectOption('ReservationCanceled');
    await press(page, 'Check only');
    await expect.poll(() => verdict(page).textContent()).toBe('200Good to send');
    const row = page.getByRole('region', { name: 'The row' }).getByRole('row', { name: 'event_type' });
    expect(await row.textContent()).toBe('event_type"ReservationCanceled"');
    expect(await marked(page)).toEqual([]);
  });

  test('shows each fault beside its field', async () => {
    const change = { PropertyId: undefined, ReservationState: 'Booked', EndUtc: '2026-02-30' };
    const { page, body } = await check(change, '422The event breaks the contract');
    expect(await marked(page)).toEqual([
      expect.stringMatching(/"ReservationState": "Booked",must be one of the allowed values/),
      expect.stringMatching(/"EndUtc": "2026-02-30",must be a date and time/),
      expect.stringMatching(/^\}PropertyId is required/),
    ]);
    expect(await body.getAttribute('aria-invalid')).toBe('true');
    expect(await violations(page)).toEqual([]);
    await body.press('End');
    await body.pressSequentially(' ');
    expect(await marked(page)).toEqual([]);
  });

  test('shows each warning beside its field, on a phone too', async () => {
    const { page } = await check({ AdultCounts: '2', ReservationPurpose: 'Fun' }, '200Good to send', NARROW);
    expect(await marked(page)).toEqual([
      expect.stringMatching(/"ReservationPurpose": "Fun",The value is none of the allowed ones/),
      expect.stringMatching(/"AdultCounts": "2",Digits were sent as a string/),
    ]);
    expect(await violations(page)).toEqual([]);
  });

  test('shows each name that was not recognised beside its line', async () => {
    const { page } = await check({ RoomMood: 'calm' }, '200Good to send');
    expect(await marked(page)).toEqual([expect.stringMatching(/"RoomMood": "calm"The name is not in the contract/)]);
    expect(await violations(page)).toEqual([]);
  });

  test('shows where the body stops being JSON', async () => {
    const body = '{\n  "PropertyId": "a"\n  "EventType": "b"\n}';
    const { page } = await check(body, '400The body is not one JSON object');
    expect(await page.locator('#body-hint').textContent()).toContain('Not JSON yet');
    expect(await marked(page)).toEqual([expect.stringMatching(/"EventType": "b"The body stops being JSON here/)]);
  });

  test('points at the token when it is wrong', async () => {
    const { page } = await openPanel();
    await page.getByLabel('Token').fill('wrong');
    await press(page, 'Check only');
    await expect.poll(() => verdict(page).textContent()).toBe('401The token is missing or wrong');
    expect(await page.getByLabel('Token').getAttribute('aria-invalid')).toBe('true');
    await page.getByRole('link', { name: 'What this means' }).click();
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('The token is missing or wrong');
  });
});

test('what is sent is stored, and what is only checked is not', async () => {
  const { page, body } = await check({ StaffComment: 'only checked' }, '200Good to send');
  await body.fill((await body.inputValue()).replace('only checked', 'really sent'));
  await press(page, 'Send');
  await expect.poll(() => verdict(page).textContent()).toBe('202Stored');
  const eventId = /As ([\da-f-]{36})/.exec((await page.getByRole('status').textContent()) ?? '')?.[1] ?? 'no id';
  const rows = await vi.waitFor(async () => {
    const text = await landed();
    expect(text).toContain('really sent');
    return text;
  }, 20_000);
  expect(rows).toContain(eventId);
  expect(rows).not.toContain('only checked');
});

test('the page works while the service does not', async () => {
  const { page } = await openPanel();
  await page.route('**/api/**', (route) => route.abort());
  await press(page, 'Send');
  await expect.poll(() => verdict(page).textContent()).toBe('–No answer');
  expect(await page.getByRole('button', { name: 'Send', exact: true }).isEnabled()).toBe(true);
});

test('the keyboard alone suffices', async () => {
  const { page } = await visit('/');
  const focused = () => page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent);
  const tabTo = async (wanted: string) => {
    for (let presses = 0; presses < 80 && (await focused()) !== wanted; presses += 1) await page.keyboard.press('Tab');
    expect(await focused()).toBe(wanted);
  };
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('Skip to the content');
  await page.keyboard.press('Enter');
  const snippet = (language: string) =>
    page.getByRole('region', { name: `How to send an event with ${language}`, exact: true });
  await tabTo('C#');
  await page.keyboard.press('Enter');
  expect(await snippet('C#').isVisible()).toBe(true);
  expect(await snippet('curl').isVisible()).toBe(false);

  await tabTo('token');
  await page.keyboard.type(service().token);
  await tabTo('example');
  await page.keyboard.press('ArrowDown');
  await tabTo('body');
  expect(await page.getByRole('textbox', { name: 'Body' }).inputValue()).toContain('"ReservationRequested"');
  await page.keyboard.press('Control+A');
  await page.keyboard.type('{ "PropertyId": 7, "EventType": "Moved" }');
  await page.keyboard.press('Control+Enter');
  await expect.poll(() => verdict(page).textContent()).toContain('422');
  await tabTo('EventType');
  await page.keyboard.press('Enter');
  expect(await focused()).toBe('body');
  expect(await page.evaluate(() => getSelection()?.toString())).toBe('"EventType"');
});
