import { withUnbrokenTime } from '@sparechange/domain';

const timeZone = 'Australia/Sydney';

/** Makes a format at its first use: making one takes milliseconds of a page's start on a phone. */
function onFirstUse(options: Intl.DateTimeFormatOptions): (instant: Date) => string {
  let format: Intl.DateTimeFormat | undefined;
  return (instant) => {
    format ??= new Intl.DateTimeFormat('en-AU', { timeZone, ...options });
    return format.format(instant);
  };
}

const timeOf = onFirstUse({ hour: 'numeric', minute: '2-digit' });
const momentOf = onFirstUse({
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
});

/** "6:05 pm", in Sydney. */
export const timeInWords = (instant: Date): string => withUnbrokenTime(timeOf(instant));

/** "Mon 23 Nov 2026, 6:05 pm", in Sydney. */
export const momentInWords = (instant: Date): string =>
  withUnbrokenTime(momentOf(instant).replace(',', '').replace(' at ', ', '));
