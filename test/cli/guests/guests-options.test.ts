import { describe, expect, test } from 'vitest';
import { readGuestsOptions } from '../../../src/cli/guests/guests-options.ts';

describe('readGuestsOptions()', () => {
  test.each([
    [['find'], 'give at least one of the selection'],
    [['find', '--email', 'nobody'], 'write one whole address'],
    [['find', '--email', 'a@example.com, b@example.com'], 'write one whole address'],
    [['find', '--customer-id', '17'], 'give --integration-id and --property-id'],
    [['find', '--customer-id', '17', '--property-id', 'h'], 'give --integration-id and --property-id'],
    [['find', '--email', 'a@example.com', '--integration-id', 'i', '--property-id', 'h'], 'and only with them'],
    [['find', '--name', 'Novák', '--birth-date', '1987-11-02'], 'give first and last name'],
    [['find', '--email', ' '], 'its value is empty'],
    [['find', '--phone', '123'], 'at least six digits'],
    [['find', '--name', 'Amélie Novák'], 'give --name and --birth-date together'],
    [['find', '--birth-date', '2.11.1987', '--name', 'A B'], 'write it as 1987-11-02'],
    [['find', 'amelie@example.com'], 'write its option before it'],
    [['find', '--email', 'a@example.com', '--yes'], 'it is for erase alone'],
    [['find', '--email', 'a@example.com', '--from', '2026-02-01', '--to', '2026-01-01'], 'nothing is between'],
    [['find', ...Array.from({ length: 1_001 }, (_, at) => `--email=${at}@example.com`)], 'ask in several commands'],
    [['erase', '--email', 'a@example.com', '--export', 'x'], 'it is for find alone'],
    [['show'], 'list prints them'],
    [['burn'], 'name find, erase, list or show'],
  ])('refuses %j and says what to do', (args, message) => {
    expect(() => readGuestsOptions(args)).toThrow(message);
  });

  test('does not repeat a value without its option, which may be a name', () => {
    expect(() => readGuestsOptions(['find', '--name', 'Amélie', 'Novák'])).not.toThrow('Novák');
  });

  test('takes each part of the selection several times', () => {
    const options = readGuestsOptions(['erase', '--yes', '--email', 'a@example.com', '--email', 'b@example.com']);
    expect(options).toMatchObject({ yes: true, selection: { emails: ['a@example.com', 'b@example.com'] } });
  });
});
