/** Reads the command line of `npm run guests`. */

import { parseDate } from '../../contract/timestamp.ts';
import { wholeEmail } from '../../guests/email.ts';
import { wantedPhones } from '../../guests/identifiers.ts';
import { wantedNames } from '../../guests/person-name.ts';
import { type GuestSelection, wantedIdentifiers } from '../../guests/selection.ts';
import {
  COMMON_OPTIONS,
  type CommandLine,
  describeOptions,
  readCommandLine,
  refuseWords,
  toRange,
  UsageError,
} from '../usage.ts';

/** Enough for every spelling of a group of travellers in one request. */
const MAX_IDENTIFIERS = 1_000;

const SELECTION = {
  'customer-id': { value: 'ID', about: 'as the PMS knows the guest', multiple: true },
  'reservation-id': { value: 'ID', about: 'of a stay', multiple: true },
  'integration-id': { value: 'ID', about: 'the integration of those ids, as in its events', multiple: true },
  'property-id': { value: 'ID', about: 'the hotel of those ids; they need both options', multiple: true },
  email: { value: 'ADDRESS', about: 'in any case', multiple: true },
  phone: {
    value: 'NUMBER',
    about: 'with its country code if you can; blanks, brackets and 00 or + do not matter',
    multiple: true,
  },
  name: {
    value: '"FIRST LAST"',
    about: 'with --birth-date; case, accents, titles, middle names and their order do not matter',
    multiple: true,
  },
  'birth-date': { value: 'YYYY-MM-DD', about: 'with --name', multiple: true },
} as const;

const OPTIONS = {
  from: COMMON_OPTIONS.from,
  to: COMMON_OPTIONS.to,
  checkpoint: {
    value: 'FILE',
    about: 'keeps the progress of the search; after an interruption the same command continues from there',
  },
  export: {
    value: 'FOLDER',
    for: ['find'],
    about: 'writes guest.html and guest.json, to be handed out, and decide.json, for you to decide on',
  },
  yes: { ...COMMON_OPTIONS.yes, for: ['erase'] },
} as const;

export const GUESTS_USAGE = `\
Usage: npm run guests -- COMMAND [SELECTION] [OPTIONS]

  find          counts the lines that match a guest, in every place; only reads
  erase         shows whose stays would be erased, asks, and has the service erase the guest from events/
  list          shows the erasures, done and under way
  show ID       prints the record of an erasure as JSON, for the files of the controller

Selection, anything known about the guest; each may be repeated, and one match is enough
${describeOptions(SELECTION)}

Options
${describeOptions(OPTIONS)}`;

export type GuestsOptions = ReturnType<typeof readGuestsOptions>;

/** What a search looks for, when it was received, and the file that keeps its progress. */
export type SearchOptions = ReturnType<typeof readSearch>;

/**
 * Reads the command line.
 *
 * @throws UsageError that says what to write instead.
 */
export function readGuestsOptions(args: readonly string[]) {
  const { values, words } = readCommandLine(args, { ...SELECTION, ...OPTIONS }, true);
  const [command, erasureId] = words;
  refuseWords(words.slice(command === 'show' ? 2 : 1));
  switch (command) {
    case 'find':
      return { command, folder: values.export, ...readSearch(values) } as const;
    case 'erase':
      return { command, yes: values.yes, ...readSearch(values) } as const;
    case 'list':
      return { command } as const;
    case 'show':
      if (erasureId === undefined) throw new UsageError('Cannot show an erasure without its id: list prints them');
      return { command, erasureId } as const;
    default:
      throw new UsageError('Cannot tell what to do: name find, erase, list or show');
  }
}

type Values = CommandLine<typeof SELECTION & typeof OPTIONS>['values'];

function readSearch(values: Values) {
  const selection: GuestSelection = {
    customerIds: values['customer-id'],
    reservationIds: values['reservation-id'],
    integrationIds: values['integration-id'],
    propertyIds: values['property-id'],
    emails: values.email,
    phones: values.phone,
    names: values.name,
    birthDates: values['birth-date'],
  };
  const unfit = [
    ...selection.emails
      .filter((email) => wholeEmail(email) === undefined)
      .map((email) => `--email ${email}: write one whole address, such as name@example.com, and nothing else`),
    ...selection.phones
      .filter((phone) => wantedPhones(phone).size === 0)
      .map((phone) => `--phone ${phone}: write a number of at least six digits`),
    ...selection.birthDates
      .filter((date) => parseDate(date) !== date)
      .map((date) => `--birth-date ${date}: write it as 1987-11-02`),
    ...selection.names
      .filter((name) => wantedNames(name).size === 0)
      .map(() => 'a --name of one word: give first and last name'),
  ];
  if (unfit.length > 0) throw new UsageError(`Cannot look for ${unfit[0]}`);
  const hasIds = selection.customerIds.length + selection.reservationIds.length > 0;
  if (hasIds !== selection.integrationIds.length > 0 || hasIds !== selection.propertyIds.length > 0) {
    throw new UsageError(
      'Cannot tell whose id is meant: every hotel counts for itself; give --integration-id and --property-id with --customer-id or --reservation-id, and only with them',
    );
  }
  if (selection.names.length > 0 !== selection.birthDates.length > 0) {
    throw new UsageError('Cannot look for a name alone: many guests share one; give --name and --birth-date together');
  }
  const { size } = wantedIdentifiers(selection);
  if (size === 0) {
    throw new UsageError('Cannot tell which guest is meant: give at least one of the selection, such as --email');
  }
  if (size > MAX_IDENTIFIERS) {
    throw new UsageError(
      `Cannot look for so much at once: it comes to ${size} identifiers of at most ${MAX_IDENTIFIERS}; ask in several commands`,
    );
  }
  return { selection, range: toRange(values), checkpoint: values.checkpoint };
}
