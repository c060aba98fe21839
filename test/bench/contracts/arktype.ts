/** The contract in ArkType: the same fields and checks, without the second chance for optional values. */

import { type } from 'arktype';
import {
  EVENT_TYPES,
  RESERVATION_ORIGINS,
  RESERVATION_PURPOSES,
  RESERVATION_STATES,
} from '../../../src/contract/values.ts';

const text = 'string > 0';
const optionalText = 'string > 0 | null';
const timestamp = 'string.date.iso';
const count = '0 <= number.integer <= 9999 | null';

export const ARKTYPE_EVENT = type({
  IntegrationId: text,
  PropertyId: text,
  EventType: type.enumerated(...EVENT_TYPES),
  ReservationState: type.enumerated(...RESERVATION_STATES),
  AssignedResourceNumber: text,
  StartUtc: timestamp,
  EndUtc: timestamp,
  'ReservationId?': optionalText,
  'ReservationOrigin?': type.enumerated(...RESERVATION_ORIGINS, null),
  'ReservationPurpose?': type.enumerated(...RESERVATION_PURPOSES, null),
  'RateId?': optionalText,
  'MealPlan?': optionalText,
  'RoomTypeId?': optionalText,
  'CustomerId?': optionalText,
  'FirstName?': optionalText,
  'LastName?': optionalText,
  'Email?': optionalText,
  'Phone?': optionalText,
  'NationalityCode?': optionalText,
  'LoyaltyCode?': optionalText,
  'PreferredLanguage?': optionalText,
  'StaffComment?': optionalText,
  'CreatedUtc?': 'string.date.iso | null',
  'BirthDate?': 'string.date.iso | null',
  'AdultCounts?': count,
  'ChildCounts?': count,
});
