import type { Club } from '@sparechange/contract';

/** A case-insensitive part of the name. */
export const filterClubs = (clubs: Club[], search: string): Club[] =>
  clubs.filter((club) => club.name.toLowerCase().includes(search.trim().toLowerCase()));
