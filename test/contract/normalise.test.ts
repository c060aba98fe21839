import { describe, expect, test } from 'vitest';
import { normalise } from '../../src/contract/normalise.ts';
import { FULL_EVENT, SMALL_EVENT, snakeCase } from '../sample.ts';
import { normalisedText } from '../sample-row.ts';

/** Normalises the full event with changes; `undefined` takes a field away. */
function stored(changes: Record<string, unknown>) {
  const result = normalise(JSON.parse(JSON.stringify({ ...FULL_EVENT, ...changes })));
  if (!result.ok) throw new Error(`refused: ${result.error.errors.map(({ sentAs, code }) => `${sentAs} ${code}`)}`);
  const { reservation, occurredAt, warnings, extra } = result.value;
  return { ...reservation, occurred_at: occurredAt, warnings, extra: extra === null ? null : JSON.parse(extra) };
}

function faults(changes: Record<string, unknown>) {
  const result = normalise(JSON.parse(JSON.stringify({ ...FULL_EVENT, ...changes })));
  return result.ok ? [] : result.error.errors.map(({ sentAs, code }) => `${sentAs} ${code}`);
}

/** Normalises the full event with one value spelled in JSON. */
function storedJson(name: string, json: string) {
  return normalisedText(JSON.stringify({ ...FULL_EVENT, [name]: '@' }).replace('"@"', json));
}

/** The values of the columns that are not null, in an order of their own. */
function filled(columns: object): unknown[] {
  return Object.values(columns)
    .filter((value) => value !== null)
    .sort();
}

describe('normalise()', () => {
  test('stores every field of a full event as it is sent', () => {
    const { warnings, extra, occurred_at, ...reservation } = stored({});
    expect(filled(reservation)).toEqual(Object.values(FULL_EVENT).sort());
    expect({ warnings, extra, occurred_at }).toEqual({ warnings: [], extra: null, occurred_at: null });
  });

  test('stores null for every optional field that is not sent', () => {
    const result = normalise(SMALL_EVENT);
    expect(result.ok && filled(result.value.reservation)).toEqual(Object.values(SMALL_EVENT).sort());
    expect(result.ok && [result.value.warnings, result.value.extra]).toEqual([[], null]);
  });

  test.each([null, '', '   ', '\t\n'])('takes %j for absent', (value) => {
    const optional = Object.keys(FULL_EVENT).filter((name) => !(name in SMALL_EVENT));
    const { warnings, ...columns } = stored(Object.fromEntries(optional.map((name) => [name, value])));
    expect(filled(columns)).toEqual(Object.values(SMALL_EVENT).sort());
    expect(warnings).toEqual([]);
    for (const name of Object.keys(SMALL_EVENT)) expect(faults({ [name]: value })).toEqual([`${name} missing`]);
  });

  test.each([
    ['{{ guest.last }}', ['last_name:unfilled_template']],
    [`{{${'x'.repeat(252)}}}`, ['last_name:unfilled_template']],
    [`{{${'x'.repeat(253)}}}`, []],
    ['Novak {{', []],
    ['<%= guest.last %>', ['last_name:unfilled_template']],
    ['Null', []],
  ])('stores %j as sent and says when it is a placeholder', (LastName, warnings) => {
    expect(stored({ LastName })).toMatchObject({ last_name: LastName, warnings });
  });

  test('names every fault at once, in the order of the columns', () => {
    const changes = {
      EventType: 'ReservationModified',
      StartUtc: '2026-02-30T10:00:00Z',
      PropertyId: undefined,
      EndUtc: 5,
      AdultCounts: -1,
    };
    expect(faults(changes)).toEqual([
      'PropertyId missing',
      'EventType not_allowed',
      'StartUtc not_a_timestamp',
      'EndUtc not_a_timestamp',
    ]);
  });

  test.each([
    ['EventType', 'reservationconfirmed', 'not_allowed'],
    ['EventType', ' ReservationConfirmed', 'not_allowed'],
    ['EventType', 7, 'not_allowed'],
    ['ReservationState', 'Inquired', 'not_allowed'],
    ['ReservationState', ['Confirmed'], 'not_allowed'],
    ['StartUtc', '2026-05-01', 'not_a_timestamp'],
    ['StartUtc', 1714568400000, 'not_a_timestamp'],
    ['EndUtc', {}, 'not_a_timestamp'],
    ['IntegrationId', true, 'wrong_type'],
    ['IntegrationId', 1.5, 'wrong_type'],
    ['AssignedResourceNumber', ['101'], 'wrong_type'],
    ['AssignedResourceNumber', { number: 101 }, 'wrong_type'],
  ])('refuses %s: %j', (name, value, code) => {
    expect(faults({ [name]: value })).toEqual([`${name} ${code}`]);
  });

  test.each([
    ['ReservationOrigin', 'CommanderInPerson', 'reservation_origin:not_allowed'],
    ['ReservationPurpose', 'leisure', 'reservation_purpose:not_allowed'],
    ['CreatedUtc', 'unknown', 'created_utc:not_a_timestamp'],
    ['CreatedUtc', 1714568400, 'created_utc:not_a_timestamp'],
    ['UpdatedUtc', 1714568400, 'occurred_at:not_a_timestamp'],
    ['BirthDate', '1980-02-30', 'birth_date:not_a_date'],
    ['BirthDate', '19800230', 'birth_date:not_a_date'],
    ['BirthDate', '31011980', 'birth_date:not_a_date'],
    ['BirthDate', '01311980', 'birth_date:not_a_date'],
    ['BirthDate', '1980-0131', 'birth_date:not_a_date'],
    ['BirthDate', 19800131, 'birth_date:not_a_date'],
    ['BirthDate', 315532800, 'birth_date:not_a_date'],
    ['AdultCounts', 1.5, 'adult_counts:not_a_count'],
    ['AdultCounts', -1, 'adult_counts:not_a_count'],
    ['AdultCounts', 10_000, 'adult_counts:not_a_count'],
    ['AdultCounts', '10000', 'adult_counts:not_a_count'],
    ['AdultCounts', 'two', 'adult_counts:not_a_count'],
    ['AdultCounts', '2.0', 'adult_counts:not_a_count'],
    ['ChildCounts', true, 'child_counts:not_a_count'],
    ['Email', false, 'email:wrong_type'],
    ['FirstName', ['Zoë'], 'first_name:wrong_type'],
    ['StaffComment', { text: 'late' }, 'staff_comment:wrong_type'],
    ['PreferredLanguage', 4.5, 'preferred_language:wrong_type'],
  ])('stores null for %s: %j, keeps the original and warns', (name, value, warning) => {
    const row = stored({ [name]: value });
    const column = warning.slice(0, warning.indexOf(':'));
    expect(row).toMatchObject({ [column]: null, warnings: [warning], extra: { [name]: value } });
  });

  test.each([
    ['PropertyId', 12345, { property_id: '12345', warnings: ['property_id:number_as_text'] }],
    ['Phone', 420555010199, { phone: '420555010199', warnings: ['phone:number_as_text'] }],
    ['Phone', -5, { phone: '-5', warnings: ['phone:number_as_text'] }],
    ['AdultCounts', '03', { adult_counts: 3, warnings: ['adult_counts:text_as_number'] }],
    ['AdultCounts', 0, { adult_counts: 0, warnings: [] }],
    ['AdultCounts', 9999, { adult_counts: 9999, warnings: [] }],
    ['StartUtc', '2026-07-10T14:00:00', { start_utc: '2026-07-10T14:00:00.000Z', warnings: ['start_utc:no_zone'] }],
    ['BirthDate', ' 19911130 ', { birth_date: '1991-11-30', warnings: [] }],
    ['AdultCounts', -0, { adult_counts: 0, warnings: [] }],
    ['EndUtc', '2026-07-01T00:00:00Z', { warnings: ['end_utc:before_start'] }],
    ['EndUtc', '2026-07-10T14:00:00Z', { warnings: [] }],
    ['UpdatedUtc', '2026-07-10T14:00:00+02', { occurred_at: '2026-07-10T12:00:00.000Z', warnings: [] }],
    ['BirthDate', '1991-11-30T00:00:00+02:00', { birth_date: '1991-11-30', warnings: [] }],
    ['NationalityCode', 'ru', { nationality_code: 'RU', warnings: [] }],
    ['NationalityCode', 'UK', { nationality_code: 'UK', warnings: [] }],
    ['NationalityCode', 'cze', { nationality_code: 'CZE', warnings: [] }],
    [
      'NationalityCode',
      203,
      {
        nationality_code: '203',
        warnings: ['nationality_code:number_as_text', 'nationality_code:not_a_country_code'],
      },
    ],
    ['PreferredLanguage', 'en_GB', { preferred_language: 'en-GB', warnings: [] }],
    ['PreferredLanguage', 'eng', { preferred_language: 'en', warnings: [] }],
    ['PreferredLanguage', 'ZH-hans-cn', { preferred_language: 'zh-Hans-CN', warnings: [] }],
    [
      'PreferredLanguage',
      'en-GB!',
      { preferred_language: 'en-GB!', warnings: ['preferred_language:not_a_language_tag'] },
    ],
    [
      'PreferredLanguage',
      `en-x${'-private'.repeat(40)}`,
      {
        preferred_language: `en-x${'-private'.repeat(40)}`,
        warnings: ['preferred_language:not_a_language_tag'],
      },
    ],
    ['Email', 'n/a', { email: 'n/a', warnings: [] }],
    ['Email', 'jörg@bücher.example', { email: 'jörg@bücher.example', warnings: [] }],
    ['RateId', ' padded ', { rate_id: ' padded ', warnings: [] }],
    ['PropertyId', '{{property.id}}', { warnings: ['property_id:unfilled_template'] }],
    ['AssignedResourceNumber', 'N/A', { warnings: ['assigned_resource_number:looks_empty'] }],
    ['PropertyId', 'null', { property_id: 'null', warnings: ['property_id:looks_empty'] }],
    ['RateId', ' undefined ', { warnings: ['rate_id:looks_empty'] }],
    ['ReservationId', '-', { warnings: ['reservation_id:looks_empty'] }],
    ['StaffComment', '=HYPERLINK("x")', { staff_comment: '=HYPERLINK("x")', warnings: [] }],
    ['StaffComment', 'cut \ud83d', { staff_comment: 'cut \ufffd', warnings: ['staff_comment:replaced_characters'] }],
    ['StaffComment', 'nul \0', { staff_comment: 'nul \ufffd', warnings: ['staff_comment:replaced_characters'] }],
    ['ReservationState', 'Started', { warnings: ['reservation_state:disagrees_with_event_type'] }],
  ])('tidies %s: %j', (name, value, expected) => {
    expect(stored({ [name]: value })).toMatchObject({ ...expected, extra: null });
  });

  test.each([
    ['NationalityCode', 'nationality_code', 'not_a_country_code', ['Straße', 'Czech Republic', 'c', ' cz', 'čr', 'C2']],
    ['PreferredLanguage', 'preferred_language', 'not_a_language_tag', ['German', 'English', 'deutsch', 'fr FR', 'e']],
  ])('stores a %s that is none as it is sent, and warns', (name, column, code, values) => {
    for (const value of values) {
      expect(stored({ [name]: value })).toMatchObject({ [column]: value, warnings: [`${column}:${code}`] });
    }
  });

  test('keeps what it does not know in extra', () => {
    const unknown = { Adults: 2, Channel: { Name: 'ota', Codes: [1, '2', null] }, Nothing: null, empty: '' };
    expect(stored(unknown)).toMatchObject({ warnings: [], extra: unknown });
  });

  test('keeps names that mean something to JavaScript like any other', () => {
    const members = '"__proto__":{"EventType":"x"},"constructor":1,"toString":2}';
    expect(normalisedText(`${JSON.stringify(SMALL_EVENT).slice(0, -1)},${members}`).extra).toBe(`{${members}`);
  });

  test('warns of characters that were replaced in extra, and keeps names apart that become equal', () => {
    const { warnings, extra } = stored({ 'a\ud800': 1, 'a\ufffd': 2, 'a\0': { b: '\0' } });
    expect(warnings).toEqual(['extra:replaced_characters']);
    expect(extra).toEqual({ 'a\ufffd': 2, 'a\ufffd#2': { b: '\ufffd' }, 'a\ufffd#3': 1 });
  });

  test('reads sixteen spellings of a field, and loses none of the others', () => {
    const names = Array.from({ length: 40 }, (_, at) => `e${'_'.repeat(at + 1)}mail`).sort();
    const others = Object.fromEntries(names.map((name, at) => [name, `guest-${at}@example.com`]));
    const { email, warnings, extra } = stored({ ...others, Email: null });
    expect(email).toBe('guest-0@example.com');
    expect(warnings).toEqual(['email:misspelled_name', 'email:two_names']);
    expect(Object.keys(extra).sort()).toEqual(names.slice(1));
    // The same value, in a spelling that is not read any more.
    expect(stored({ ...others, Email: 'guest-39@example.com' }).extra).toEqual(others);
  });

  test('keeps digits that a double cannot hold', () => {
    expect(storedJson('Phone', '12345678901234567890')).toMatchObject({
      reservation: { phone: null },
      warnings: ['phone:inexact_number'],
      extra: '{"Phone":12345678901234567890}',
    });
    expect(storedJson('AdultCounts', '1e400')).toMatchObject({
      reservation: { adult_counts: null },
      warnings: ['adult_counts:not_a_count'],
      extra: '{"AdultCounts":1e400}',
    });
    // A double holds it, and as well the number beside it.
    expect(storedJson('RateId', '9007199254740992')).toMatchObject({
      reservation: { rate_id: null },
      warnings: ['rate_id:wrong_type'],
      extra: '{"RateId":9007199254740992}',
    });
    expect(storedJson('RateId', '9007199254740991')).toMatchObject({ reservation: { rate_id: '9007199254740991' } });
    expect(() => storedJson('PropertyId', '-9007199254740992')).toThrow('wrong_type');
    expect(storedJson('Unknown', '[9007199254740993]').extra).toBe('{"Unknown":[9007199254740993]}');
    expect(storedJson('AdultCounts', '2e0')).toMatchObject({ reservation: { adult_counts: 2 }, warnings: [] });
    expect(() => storedJson('PropertyId', '12345678901234567890')).toThrow('inexact_number');
  });

  describe('with a name that is spelled in another way', () => {
    const others = (changes: Record<string, string>) =>
      Object.fromEntries(Object.entries(FULL_EVENT).map(([name, value]) => [changes[name] ?? name, value]));
    const respelled = (spell: (name: string) => string) =>
      others(Object.fromEntries(Object.keys(FULL_EVENT).map((name) => [name, spell(name)])));

    test.each([
      ['camelCase', (name: string) => name.charAt(0).toLowerCase() + name.slice(1)],
      ['lower case', (name: string) => name.toLowerCase()],
      ['upper case', (name: string) => name.toUpperCase()],
      ['snake_case', snakeCase],
      ['kebab-case', (name: string) => name.replace(/\B[A-Z]/g, (letter) => `-${letter}`)],
      ['blanks around', (name: string) => ` ${name}\t`],
      ['an s too many or too few', (name: string) => (name.endsWith('s') ? name.slice(0, -1) : `${name}s`)],
    ])('reads every field in %s, and warns of each', (_, spell) => {
      const result = normalise(respelled(spell));
      const { reservation, warnings, extra } = result.ok ? result.value : { reservation: {}, warnings: [], extra: '' };
      expect(filled(reservation)).toEqual(Object.values(FULL_EVENT).sort());
      const odd = Object.keys(FULL_EVENT).filter((name) => spell(name) !== name);
      expect(warnings).toHaveLength(odd.length);
      expect(warnings.filter((warning) => !warning.endsWith(':misspelled_name'))).toEqual([]);
      expect(extra).toBeNull();
    });

    test.each(['FirstNam', 'First.Name', 'FirstNamess', 'TheFirstName', 'FirstName1', `First${'_'.repeat(60)}Name`])(
      'takes %s for a field that it does not know',
      (name) => {
        expect(stored({ FirstName: undefined, [name]: 'Zoë' })).toMatchObject({
          first_name: null,
          warnings: [],
          extra: { [name]: 'Zoë' },
        });
      },
    );

    test.each([
      // The exact name counts.
      [{ AdultCounts: 2, adult_count: 3 }, { adult_counts: 2 }, ['two_names'], { adult_count: 3 }],
      [{ AdultCounts: 2, adult_count: 2 }, { adult_counts: 2 }, [], null],
      [{ AdultCounts: 2, adult_count: null }, { adult_counts: 2 }, [], null],
      [{ AdultCounts: ' ', adult_count: 3 }, { adult_counts: 3 }, ['misspelled_name'], null],
      // Unless its value cannot be used.
      [{ AdultCounts: -1, adult_count: 3 }, { adult_counts: 3 }, ['misspelled_name', 'two_names'], { AdultCounts: -1 }],
      [{ AdultCounts: 2, adult_count: -1 }, { adult_counts: 2 }, ['two_names'], { adult_count: -1 }],
      [
        { AdultCounts: -1, adult_count: -2 },
        { adult_counts: null },
        ['two_names', 'not_a_count'],
        { AdultCounts: -1, adult_count: -2 },
      ],
      [
        { AdultCounts: undefined, adult_count: -2 },
        { adult_counts: null },
        ['misspelled_name', 'not_a_count'],
        { AdultCounts: -2 },
      ],
      // The order of keys makes no difference.
      [
        { AdultCounts: null, adult_count: 3, ADULTCOUNT: 2 },
        { adult_counts: 2 },
        ['misspelled_name', 'two_names'],
        { adult_count: 3 },
      ],
      [
        { AdultCounts: null, ADULTCOUNT: 2, adult_count: 3 },
        { adult_counts: 2 },
        ['misspelled_name', 'two_names'],
        { adult_count: 3 },
      ],
    ])('%j', (changes, columns, codes, extra) => {
      const warnings = codes.map((code) => `adult_counts:${code}`);
      expect(stored(changes)).toMatchObject({ ...columns, warnings, extra });
    });

    test.each([
      [{ AssignedResourceNumber: undefined, AsssignedResourceNumber: '12' }, '12', ['misspelled_name'], null],
      [{ AssignedResourceNumber: undefined, asssigned_resource_number: '12' }, '12', ['misspelled_name'], null],
      [{ AssignedResourceNumber: ' ', AsssignedResourceNumber: 12 }, '12', ['misspelled_name', 'number_as_text'], null],
      [{ AssignedResourceNumber: '7', AsssignedResourceNumber: 7 }, '7', [], null],
    ])('knows the room with three s: %j', (changes, room, codes, extra) => {
      expect(stored(changes)).toMatchObject({
        assigned_resource_number: room,
        warnings: codes.map((code) => `assigned_resource_number:${code}`),
        extra,
      });
    });

    test('a fault points to the name that was sent', () => {
      expect(faults({ StartUtc: undefined, start_utc: 'soon' })).toEqual(['start_utc not_a_timestamp']);
      expect(faults({ StartUtc: 'now', start_utc: 'soon' })).toEqual(['StartUtc not_a_timestamp']);
      expect(faults({ StartUtc: null, start_utc: null })).toEqual(['StartUtc missing']);
    });
  });

  test('warns of names that stand twice in the body', () => {
    const text = `${JSON.stringify(FULL_EVENT).slice(0, -1)},"FirstName":"Eva","Probe":1,"Probe":{"a":1,"a":2},"RateId":"x"}`;
    expect(normalisedText(text)).toMatchObject({
      reservation: { first_name: 'Eva', rate_id: 'x' },
      warnings: ['first_name:repeated_name', 'extra:repeated_name', 'rate_id:repeated_name'],
      extra: '{"Probe":{"a":2}}',
    });
  });

  test('keeps a value that nests too deep as text, whether or not its field is known', () => {
    const nested = (levels: number) => `${'['.repeat(levels)}12345678901234567890${']'.repeat(levels)}`;
    const deep = nested(65);
    expect(storedJson('Unknown', nested(64))).toMatchObject({ warnings: [], extra: `{"Unknown":${nested(64)}}` });
    expect(storedJson('Unknown', deep)).toMatchObject({
      warnings: ['extra:too_deep'],
      extra: JSON.stringify({ Unknown: deep }),
    });
    expect(storedJson('Email', deep)).toMatchObject({
      reservation: { email: null },
      warnings: ['email:wrong_type', 'extra:too_deep'],
      extra: JSON.stringify({ Email: deep }),
    });
    expect(() => storedJson('PropertyId', deep)).toThrow('wrong_type');
  });
});
