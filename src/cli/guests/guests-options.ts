/** Which guest is meant and what is to be done, from the command line. */

import { parseDate } from '../../contract/timestamp.ts';
import { wholeEmail } from '../../guests/email.ts';
import { wantedPhones } from '../../guests/identifiers.ts';
import { wantedNames } from '../../guests/person-name.ts';
import { type GuestSelection, wantedIdentifiers } from '../../guests/selection.ts';
import type { TimeRange } from '../list-hours.ts';
import { parseCommandLine, readRange, UsageError } from '../usage.ts';

/** What a search looks for. */
export interface SearchOptions {
  readonly selection: GuestSelection;
  readonly range: TimeRange;
  /** The file that keeps how far the search is. */
  readonly checkpoint: string | undefined;
}

/** The command line, checked. */
export type GuestsOptions =
  | ({ readonly command: 'find'; readonly folder: string | undefined } & SearchOptions)
  | ({ readonly command: 'erase'; readonly agreed: boolean } & SearchOptions)
  | { readonly command: 'list' }
  | { readonly command: 'show'; readonly erasureId: string };

/** One request for every spelling of a group of travellers is plenty. */
const MAX_IDENTIFIERS = 1_000;

/** How the command is used. */
export const GUESTS_USAGE = `\
Usage: npm run guests -- COMMAND [SELECTION] [OPTIONS]

  find          counts the lines in which a guest is, in every place; reads only
  erase         shows whose stays would be erased, asks, and has the service erase the guest from events/
  list          shows the erasures, done and under way
  show ID       prints the record of one as JSON, for the files of the controller

Selection, anything that is known of the guest; each may be repeated, and what fits one of them counts
  --customer-id ID           as the PMS knows the guest
  --reservation-id ID        of a stay
  --integration-id ID --property-id ID
                             of which hotel those ids are, as in its events; needed with them
  --email ADDRESS            in any case
  --phone NUMBER             with its country code if you can; blanks, brackets and 00 or + do not matter
  --name "FIRST LAST" --birth-date YYYY-MM-DD
                             together; case, accents, titles and the order of the names do not matter, and with two
                             names, neither do others between them

Options
  --from TIME --to TIME      only what was received from then on and before then, such as 2026-07-10; reads less
  --export FOLDER            find: writes what is the guest's as guest.html and guest.json, to be handed out, and what
                             you have to decide on as decide.json
  --checkpoint FILE          keeps in FILE how far the search is; the same command goes on there after an interruption
  --yes                      erase: does not ask`;

/**
 * Reads the command line.
 *
 * @throws UsageError when it cannot be understood; the message says what to write.
 */
export function readGuestsOptions(args: readonly string[]): GuestsOptions {
  const { values, positionals } = parse(args);
  const [command, ...operands] = positionals;
  switch (command) {
    case 'find':
      expectNone(operands);
      if (values.yes) throw new UsageError('Cannot use --yes: it is for erase alone');
      return { command, folder: values.export, ...readSearch(values) };
    case 'erase':
      expectNone(operands);
      if (values.export !== undefined) {
        throw new UsageError('Cannot use --export: it is for find alone; run find first, then erase');
      }
      return { command, agreed: values.yes, ...readSearch(values) };
    case 'list':
      expectNone(operands);
      return { command };
    case 'show': {
      const [erasureId, ...others] = operands;
      if (erasureId === undefined) throw new UsageError('Cannot show an erasure without its id: list prints them');
      expectNone(others);
      return { command, erasureId };
    }
    default:
      throw new UsageError('Cannot tell what to do: name find, erase, list or show');
  }
}

type Values = ReturnType<typeof parse>['values'];

function readSearch(values: Values): SearchOptions {
  const selection: GuestSelection = {
    customerIds: nonEmpty('--customer-id', values['customer-id']),
    reservationIds: nonEmpty('--reservation-id', values['reservation-id']),
    integrationIds: nonEmpty('--integration-id', values['integration-id']),
    propertyIds: nonEmpty('--property-id', values['property-id']),
    emails: nonEmpty('--email', values.email),
    phones: nonEmpty('--phone', values.phone),
    names: nonEmpty('--name', values.name),
    birthDates: nonEmpty('--birth-date', values['birth-date']),
  };
  for (const email of selection.emails) {
    if (wholeEmail(email) === undefined) {
      throw new UsageError(
        `Cannot look for --email ${email}: write one whole address, such as name@example.com, and nothing else`,
      );
    }
  }
  for (const phone of selection.phones) {
    if (wantedPhones(phone).size === 0) {
      throw new UsageError(`Cannot look for --phone ${phone}: write a number of at least six digits`);
    }
  }
  for (const date of selection.birthDates) {
    if (parseDate(date) !== date) throw new UsageError(`Cannot look for --birth-date ${date}: write it as 1987-11-02`);
  }
  for (const name of selection.names) {
    if (wantedNames(name).size === 0)
      throw new UsageError('Cannot look for a --name of one word: give first and last name');
  }
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
  return { selection, range: readRange(values.from, values.to), checkpoint: values.checkpoint };
}

function nonEmpty(option: string, values: readonly string[]): readonly string[] {
  if (values.some((value) => value.trim() === '')) throw new UsageError(`Cannot use ${option}: it is empty`);
  return values;
}

function expectNone([operand]: readonly string[]): void {
  // Not named: it may be a value of the guest that lacks its option.
  if (operand !== undefined) {
    throw new UsageError(
      'Cannot tell what a word without an option is: write its option before it, and quotes around blanks',
    );
  }
}

function parse(args: readonly string[]) {
  return parseCommandLine({
    args: [...args],
    allowPositionals: true,
    options: {
      'customer-id': { type: 'string', multiple: true, default: [] },
      'reservation-id': { type: 'string', multiple: true, default: [] },
      email: { type: 'string', multiple: true, default: [] },
      phone: { type: 'string', multiple: true, default: [] },
      name: { type: 'string', multiple: true, default: [] },
      'birth-date': { type: 'string', multiple: true, default: [] },
      'integration-id': { type: 'string', multiple: true, default: [] },
      'property-id': { type: 'string', multiple: true, default: [] },
      from: { type: 'string' },
      to: { type: 'string' },
      export: { type: 'string' },
      checkpoint: { type: 'string' },
      yes: { type: 'boolean', default: false },
    },
  });
}
