const fullDay = new Intl.DateTimeFormat('en-AU', { dateStyle: 'full', timeZone: 'UTC' });
const fullMonth = new Intl.DateTimeFormat('en-AU', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** "Wednesday 25 November 2026" */
export const dayInWords = (day: string): string => fullDay.format(new Date(`${day}T00:00:00Z`)).replace(',', '');

/** "November 2026", from `2026-11`. */
export const monthInWords = (month: string): string => fullMonth.format(new Date(`${month}-01T00:00:00Z`));
