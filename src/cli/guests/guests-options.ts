/** Which guest is meant and what is to be done, from the command line. */

import { parseDate } from '../../contract/timestamp.ts';
import { emailsIn } from '../../guests/email.ts';
import { wantedPhones } from '../../guests/identifiers.ts';
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
  | ({ readonly command: 'forget'; readonly agreed: boolean } & SearchOptions)
  | { readonly command: 'list' }
  | { readonly command: 'show'; readonly erasureId: string };

/** One request for every spelling of a group of travellers is plenty. */
const MAX_IDENTIFIERS = 1_000;

/** How the command is used. */
export const GUESTS_USAGE = `\
Usage: npm run guests -- COMMAND [SELECTION] [OPTIONS]

  find          counts the lines that tell of a guest, in every place; reads only
  forget        shows the same and what would be done, asks, and has the service erase them
  list          shows the erasures, done and under way
  show ID       prints the record of one as JSON, for the files of the controller

Selection, anything that is known of the guest; each may be repeated, and what fits one of them counts
  --customer-id ID           as the PMS knows the guest
  --reservation-id ID        of a stay
  --email ADDRESS            in any case
  --phone NUMBER             with its country code if you can; blanks, brackets and 00 or + do not matter
  --name "FIRST LAST" --birth-date YYYY-MM-DD
                             together; case, accents and the order of the names do not matter
  --sender NAME              ids are those of this sender, where several systems count from 1

Options
  --from TIME --to TIME      only what was received from then on and before then, such as 2026-07-10; reads less
  --export FOLDER            find: writes what was found as guest.html and guest.json, to be handed out
  --checkpoint FILE          keeps in FILE how far the search is; the same command goes on there after an interruption
  --yes                      forget: does not ask`;

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
      if (values.yes) throw new UsageError('Cannot use --yes: it is for forget alone');
      return { command, folder: values.export, ...readSearch(values) };
    case 'forget':
      expectNone(operands);
      if (values.export !== undefined) {
        throw new UsageError('Cannot use --export: it is for find alone; run find first, then forget');
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
      throw new UsageError('Cannot tell what to do: name find, forget, list or show');
  }
}

type Values = ReturnType<typeof parse>['values'];

function readSearch(values: Values): SearchOptions {
  const selection: GuestSelection = {
    customerIds: nonEmpty('--customer-id', values['customer-id']),
    reservationIds: nonEmpty('--reservation-id', values['reservation-id']),
    emails: nonEmpty('--email', values.email),
    phones: nonEmpty('--phone', values.phone),
    names: nonEmpty('--name', values.name),
    birthDates: nonEmpty('--birth-date', values['birth-date']),
    senders: nonEmpty('--sender', values.sender),
  };
  for (const email of selection.emails) {
    if (emailsIn(email).length === 0) {
      throw new UsageError(`Cannot look for --email ${email}: write a whole address, such as name@example.com`);
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
      sender: { type: 'string', multiple: true, default: [] },
      from: { type: 'string' },
      to: { type: 'string' },
      export: { type: 'string' },
      checkpoint: { type: 'string' },
      yes: { type: 'boolean', default: false },
    },
  });
}
