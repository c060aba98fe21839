/** The role of an object member, derived from its name, whatever other systems call it. Pure. */

import { fieldMeant } from '../contract/names.ts';

/** A member of an object, or a named value in other text. */
export interface NamedValue {
  readonly name: string;
  readonly value: unknown;
}

/** Columns of the contract that identify a guest. */
const COLUMN_KINDS = [
  'customer_id',
  'reservation_id',
  'integration_id',
  'property_id',
  'email',
  'phone',
  'first_name',
  'last_name',
  'birth_date',
] as const;

/** What a member says about a guest; undefined when its name does not show it. */
type MemberKind = (typeof COLUMN_KINDS)[number] | 'full_name' | undefined;

interface MemberRole {
  readonly kind: MemberKind;
  /** Whether it may hold free text. */
  readonly isFree: boolean;
}

/** Names used by other systems, reduced to letters and in lower case. */
const KINDS: readonly (readonly [RegExp, MemberKind])[] = [
  [/birth|^dob$|geburt|naissance|nacimiento|nascita/, 'birth_date'],
  [/mail/, 'email'],
  [/phone|mobile|gsm|whatsapp|^(?:tel|cell)/, 'phone'],
  [/(?:first|given|fore|middle)name$|vorname$|prenom$/, 'first_name'],
  [/(?:last|family|sur)name$|nachname$/, 'last_name'],
  [/^(?:guest|customer|client|contact|person|booker|lead|main|primary|travell?er|occupant|full)*name$/, 'full_name'],
];

/** Kinds of fields that hold nothing else once they were checked. */
const CHECKED_FIELDS: ReadonlySet<string> = new Set(['timestamp', 'count', 'choice']);

/** Columns that the service writes itself. */
const OF_THE_SERVICE = new Set(['event_id', 'event_fingerprint', 'received_at', 'rejection_id', 'body_fingerprint']);

/** Maximum length of a name that is examined, in characters. */
const MAX_NAME = 64;

/**
 * The role of a member, including one whose name is split in two, such as the Id in Customer.
 *
 * @param parent - The name of the enclosing member; empty at the top.
 */
export function roleOf(name: string, parent: string): MemberRole {
  const ofParent = ROLES.get(parent);
  const known = ofParent?.get(name);
  if (known !== undefined) return known;
  const field = fieldMeant(name) ?? fieldMeant(parent + name);
  const role: MemberRole = {
    kind: field === undefined ? kindOf(name) : COLUMN_KINDS.find((kind) => kind === field.column),
    isFree: field === undefined ? !OF_THE_SERVICE.has(name) : !CHECKED_FIELDS.has(field.kind),
  };
  if (ofParent !== undefined && ofParent.size < MAX_ROLES) ofParent.set(name, role);
  else if (ofParent === undefined && ROLES.size < MAX_ROLES) ROLES.set(parent, new Map([[name, role]]));
  return role;
}

function kindOf(name: string): MemberKind {
  if (name.length > MAX_NAME) return undefined;
  const letters = name.replace(/[^\p{L}]/gu, '').toLowerCase();
  return KINDS.find(([pattern]) => pattern.test(letters))?.[1];
}

/** Roles by the names of the parent and the member: rows repeat the same few. */
const ROLES = new Map<string, Map<string, MemberRole>>();
const MAX_ROLES = 100;
