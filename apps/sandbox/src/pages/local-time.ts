const format = new Intl.DateTimeFormat('en-AU', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'Australia/Sydney',
});

/** An instant as clocks in Sydney show it. */
export const localTime = (instant: number): string => format.format(instant);
