/** The contract in Zod: the same fields and checks; an unusable optional value becomes null. */

import * as z from 'zod';
import {
  EVENT_TYPES,
  RESERVATION_ORIGINS,
  RESERVATION_PURPOSES,
  RESERVATION_STATES,
} from '../../../src/contract/values.ts';

const text = z.string().min(1);
const timestamp = z.iso.datetime({ offset: true, local: true }).transform((value) => new Date(value).toISOString());
const count = z.int().min(0).max(9_999);

export const ZOD_EVENT = z.object({
  IntegrationId: text,
  PropertyId: text,
  EventType: z.enum(EVENT_TYPES),
  ReservationState: z.enum(RESERVATION_STATES),
  AssignedResourceNumber: text,
  StartUtc: timestamp,
  EndUtc: timestamp,
  ReservationId: text.nullish().catch(null),
  ReservationOrigin: z.enum(RESERVATION_ORIGINS).nullish().catch(null),
  ReservationPurpose: z.enum(RESERVATION_PURPOSES).nullish().catch(null),
  RateId: text.nullish().catch(null),
  MealPlan: text.nullish().catch(null),
  RoomTypeId: text.nullish().catch(null),
  CustomerId: text.nullish().catch(null),
  FirstName: text.nullish().catch(null),
  LastName: text.nullish().catch(null),
  Email: text.nullish().catch(null),
  Phone: text.nullish().catch(null),
  NationalityCode: text.toUpperCase().nullish().catch(null),
  LoyaltyCode: text.nullish().catch(null),
  PreferredLanguage: text.nullish().catch(null),
  StaffComment: text.nullish().catch(null),
  CreatedUtc: timestamp.nullish().catch(null),
  BirthDate: z.iso.date().nullish().catch(null),
  AdultCounts: count.nullish().catch(null),
  ChildCounts: count.nullish().catch(null),
});
