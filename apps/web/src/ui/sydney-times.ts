import { withUnbrokenTime } from '@sparechange/domain';

const timeZone = 'Australia/Sydney';
const times = new Intl.DateTimeFormat('en-AU', { timeZone, hour: 'numeric', minute: '2-digit' });
const moments = new Intl.DateTimeFormat('en-AU', {
  timeZone,
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});

/** "6:05 pm", in Sydney. */
export const timeInWords = (instant: Date): string => withUnbrokenTime(times.format(instant));

/** "Mon 23 Nov 2026, 6:05 pm", in Sydney. */
export const momentInWords = (instant: Date): string =>
  withUnbrokenTime(moments.format(instant).replace(',', '').replace(' at ', ', '));
