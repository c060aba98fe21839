/** What columnar objects may do with the columns that tell of a guest. */
export const GUEST_COLUMNS = ['kept', 'left_out', 'pseudonyms'] as const;

/** What is done with the columns that tell of a guest. */
export type GuestColumns = (typeof GUEST_COLUMNS)[number];
