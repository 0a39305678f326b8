import { Temporal } from 'temporal-polyfill'; // 17 kB, which no page loads: only `sydneyTime` needs it

declare const sydneyCalendarDay: unique symbol;

/** A Sydney calendar day as `YYYY-MM-DD`; days compare as text. */
export type IsoDate = string & { readonly [sydneyCalendarDay]: true };

const productTimeZone = 'Australia/Sydney';

/** Reads a calendar day; throws a RangeError for one that does not exist, as none does in the year 0. */
export function isoDate(text: string): IsoDate {
  const midnight = /^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  const isDay = !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(text);
  if (!isDay) throw new RangeError(`${text} is not a day written YYYY-MM-DD`);
  return text as IsoDate;
}

let clockFormat: Intl.DateTimeFormat | undefined;

/** Returns what a clock in Sydney shows at an instant: "2026-11-25 06:00:02", the form of instants in exports. */
export function sydneyClockTime(instant: Date): string {
  // Made at the first use: a format takes milliseconds of a page's start on a phone.
  clockFormat ??= new Intl.DateTimeFormat('sv-SE', {
    timeZone: productTimeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  return clockFormat.format(instant);
}

const msPerHour = 3_600_000;
const maxRememberedHours = 20_000;
const dayOfHour = new Map<number, IsoDate>();

/** The Sydney day on which an instant falls. Remembered by the hour: since 1970 every Sydney midnight is on a whole one of UTC. */
export function sydneyDay(instant: Date): IsoDate {
  const hour = Math.floor(instant.getTime() / msPerHour);
  const known = dayOfHour.get(hour);
  if (known !== undefined) return known;
  const day = sydneyClockTime(instant).slice(0, 10) as IsoDate;
  if (dayOfHour.size >= maxRememberedHours) dayOfHour.clear();
  if (hour >= 0) dayOfHour.set(hour, day);
  return day;
}

/** The instant at which a Sydney clock shows that time of that day; a time skipped by daylight saving moves forward. */
export function sydneyTime(day: IsoDate, time: `${number}:${number}`): Date {
  const zoned = Temporal.PlainDate.from(day).toZonedDateTime({ timeZone: productTimeZone, plainTime: time });
  return new Date(zoned.epochMilliseconds);
}

const msPerDay = 86_400_000;

/** Days since 1 January 1970; without zones UTC is exact. */
const dayNumber = (day: IsoDate): number => Date.parse(`${day}T00:00:00Z`) / msPerDay;

export function addDays(day: IsoDate, days: number): IsoDate {
  return new Date((dayNumber(day) + days) * msPerDay).toISOString().slice(0, 10) as IsoDate;
}

/** Counts the days between; negative when `until` is earlier. */
export function daysBetween(from: IsoDate, until: IsoDate): number {
  return dayNumber(until) - dayNumber(from);
}

/** 1 is Monday, 7 is Sunday. */
export function weekday(day: IsoDate): number {
  return ((((dayNumber(day) + 3) % 7) + 7) % 7) + 1; // 1 January 1970 was a Thursday
}

/** The Monday that starts the day's week. */
export function weekStart(day: IsoDate): IsoDate {
  return addDays(day, 1 - weekday(day));
}

export function monthStart(day: IsoDate): IsoDate {
  return `${day.slice(0, 7)}-01` as IsoDate;
}

export function yearStart(day: IsoDate): IsoDate {
  return `${day.slice(0, 4)}-01-01` as IsoDate;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;
const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

const monthName = (day: string): string => months[Number(day.slice(5, 7)) - 1] ?? '';

/** "Nov-26", from a day or a month `YYYY-MM`. */
export function monthYear(day: string): string {
  return `${monthName(day)}-${day.slice(2, 4)}`;
}

/** "3-Nov-26". */
export function historyDate(day: IsoDate): string {
  return `${Number(day.slice(8))}-${monthName(day)}-${day.slice(2, 4)}`;
}

/** "Wed 25 Nov". */
export function shortDay(day: IsoDate): string {
  return `${weekdays[weekday(day) - 1]} ${Number(day.slice(8))} ${monthName(day)}`;
}

/** "Wed 25 Nov 2026". */
export function longDay(day: IsoDate): string {
  return `${shortDay(day)} ${day.slice(0, 4)}`;
}

/** Returns Sydney time as "Wed 25 Nov 2026 06:00:02". */
export function sydneyDateTime(instant: Date): string {
  return `${longDay(sydneyDay(instant))} ${sydneyClockTime(instant).slice(11)}`;
}

const monthNames = [
  ...['january', 'february', 'march', 'april', 'may', 'june'],
  ...['july', 'august', 'september', 'october', 'november', 'december'],
];
const numbered = /^(\d\d?)([/.-])(\d\d?)\2(\d{4})$/;
const named = /^(\d\d?)([ -]?)([a-z]{3,9})\2(\d{4}|\d\d)$/i;

/** Returns the number of a month by its English name or an abbreviation of it; undefined for any other word. */
const monthOf = (word: string): number | undefined =>
  monthNames.findIndex((name) => name.startsWith(word.toLowerCase())) + 1 || undefined;

/** Days of this span are no day, month and year without marks, such as 41126: the third digit is above any month. */
const firstSerial = 43_831; // 1 January 2020
const lastSerial = 49_999; // 20 November 2036

/** Returns whether text is a day that a spreadsheet shows as a number, such as 46350; a fraction is the time of day. */
export function isSerialDay(text: string): boolean {
  const serial = /^\d{5}(?:\.\d{1,12})?$/.test(text) ? Math.trunc(Number(text)) : 0;
  return serial >= firstSerial && serial <= lastSerial;
}

const timeBehind = /[ T]\d\d?:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?: ?[ap]\.?m\.?)?( ?(?:Z|UTC|[+-]\d\d:?\d\d))?$/i;

/** Returns a day without the time behind it; with a time zone, the day in Sydney then. */
export function withoutTime(written: string): string {
  const [time, zone] = timeBehind.exec(written) ?? [];
  if (time === undefined) return written;
  const text = written.slice(0, -time.length);
  if (zone === undefined) return text;
  const instant = new Date(
    `${text}T${time.slice(1, -zone.length).replace(',', '.')}${zone.trim().replace(/UTC/i, 'Z')}`,
  );
  return Number.isNaN(instant.getTime()) ? written : sydneyDay(instant);
}

/**
 * Returns an Australian day, which begins with the day of the month, in the order of ISO 8601; any other text as it is.
 * The month may be a number or a name, and beside a name the year may have two digits: 24/11/2026, 24 Nov 26. Days
 * without marks begin with the year: 20261124. A spreadsheet's number is a day, and a time of day is left out.
 */
export function inIsoOrder(written: string): string {
  const text = withoutTime(written);
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return text;
  if (isSerialDay(text)) return addDays('1899-12-30' as IsoDate, Math.trunc(Number(text)));
  const [, begun, middle, end] = /^((?:19|20|21)\d\d)(0[1-9]|1[0-2])(\d\d)$/.exec(text) ?? [];
  if (begun) return `${begun}-${middle}-${end}`;
  const [, day, , month, year] = numbered.exec(text) ?? named.exec(text) ?? [];
  if (!day || !month || !year) return written;
  const at = /\d/.test(month) ? Number(month) : monthOf(month);
  return at === undefined
    ? written
    : [year.padStart(4, '20'), at, day].map((part) => String(part).padStart(2, '0')).join('-');
}
