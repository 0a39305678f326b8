import type { Club } from '@sparechange/contract';

/** A case-insensitive part of the name (spec section 2, club selection). */
export const filterClubs = (clubs: Club[], search: string): Club[] =>
  clubs.filter((club) => club.name.toLowerCase().includes(search.trim().toLowerCase()));
