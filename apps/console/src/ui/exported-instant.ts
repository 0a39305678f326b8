const parts = new Intl.DateTimeFormat('sv-SE', {
  dateStyle: 'short',
  timeStyle: 'medium',
  timeZone: 'Australia/Sydney',
});

/** "2026-11-23 10:15:00" in Sydney, the one form of instants in exports: with the year, sorted as text, read by spreadsheets. */
export const exportedInstant = (instant: string | Date): string => parts.format(new Date(instant));
