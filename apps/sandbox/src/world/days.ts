import { easter } from 'date-easter';
import { Temporal } from 'temporal-polyfill';

/** A calendar day in Sydney, YYYY-MM-DD. */
export type IsoDate = string;
/** A calendar month in Sydney, YYYY-MM. */
export type IsoMonth = string;

const timeZone = 'Australia/Sydney';
const msPerDay = 86_400_000;
const format = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
const instants = new Map<string, number>();

const msPerHour = 3_600_000;
const maxRemembered = 50_000;
const dates = new Map<number, IsoDate>();

/** Remembered by UTC hour, as Sydney midnights since 1970 allow. */
export function sydneyDate(instant: number): IsoDate {
  const hour = Math.floor(instant / msPerHour);
  const known = dates.get(hour);
  if (known !== undefined) return known;
  const date = format.format(instant);
  if (dates.size >= maxRemembered) dates.clear();
  if (hour >= 0) dates.set(hour, date);
  return date;
}

/** The instant at which Sydney's clocks show this day and time; remembered, because daylight saving makes it dear to work out. */
export function sydneyInstant(date: IsoDate, time = '00:00'): number {
  const key = `${date}T${time}`;
  const known = instants.get(key);
  if (known !== undefined) return known;
  const instant = Temporal.PlainDateTime.from(key).toZonedDateTime(timeZone).epochMilliseconds;
  if (instants.size >= maxRemembered) instants.clear();
  instants.set(key, instant);
  return instant;
}

/** An instant as the providers write it: whole seconds, UTC. */
export const isoInstant = (instant: number): string => `${new Date(instant).toISOString().slice(0, 19)}Z`;

/** Reads an ISO time, without zone as Sydney's, like Zepto. */
export function parseInstant(text: string): number | undefined {
  const hasZone = /(?:Z|[+-]\d{2}:?\d{2})$/i.test(text);
  if (hasZone) {
    const instant = Date.parse(text);
    return Number.isNaN(instant) ? undefined : instant;
  }
  try {
    return Temporal.PlainDateTime.from(text).toZonedDateTime(timeZone).epochMilliseconds;
  } catch {
    return undefined;
  }
}

const dayNumber = (date: IsoDate): number => Date.parse(`${date}T00:00:00Z`) / msPerDay;

export const addDays = (date: IsoDate, days: number): IsoDate =>
  new Date((dayNumber(date) + days) * msPerDay).toISOString().slice(0, 10);

export const daysBetween = (from: IsoDate, to: IsoDate): number => dayNumber(to) - dayNumber(from);

/** 1 is Monday, 7 is Sunday. */
export const weekday = (date: IsoDate): number => ((((dayNumber(date) + 3) % 7) + 7) % 7) + 1;

export const monthOf = (date: IsoDate): IsoMonth => date.slice(0, 7);

export function addMonths(month: IsoMonth, months: number): IsoMonth {
  const count = Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1 + months;
  return `${Math.floor(count / 12)}-${String((count % 12) + 1).padStart(2, '0')}`;
}

export function daysOfMonth(month: IsoMonth): IsoDate[] {
  const first = `${month}-01`;
  const length = daysBetween(first, `${addMonths(month, 1)}-01`);
  return Array.from({ length }, (_, index) => addDays(first, index));
}

export const isIsoDate = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text);

const holidays = new Map<string, Set<IsoDate>>();

/** Returns June's second Monday, when the settlement system is closed. */
function kingsBirthday(year: string): IsoDate {
  let day = `${year}-06-08`;
  while (weekday(day) !== 1) day = addDays(day, 1);
  return day;
}

/** Weekends are closed anyway, so a holiday on one only adds the Monday or Tuesday on which it is kept. */
function listHolidays(year: string): IsoDate[] {
  const { month, day } = easter(Number(year));
  const sunday = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
  const keptOnMonday = (date: IsoDate) => (weekday(date) <= 5 ? date : addDays(date, 8 - weekday(date)));
  const christmas = `${year}-12-25`;
  const christmasDays = [0, 1, 2, 3].map((days) => addDays(christmas, days)).filter((date) => weekday(date) <= 5);
  return [
    keptOnMonday(`${year}-01-01`),
    keptOnMonday(`${year}-01-26`),
    addDays(sunday, -2),
    addDays(sunday, 1),
    `${year}-04-25`,
    kingsBirthday(year),
    ...christmasDays.slice(0, 2),
  ];
}

function nationalHolidays(year: string): Set<IsoDate> {
  const known = holidays.get(year);
  if (known !== undefined) return known;
  const made = new Set(listHolidays(year));
  holidays.set(year, made);
  return made;
}

/** Weekdays, except for national public holidays and the King's Birthday. */
export const isBankingDay = (date: IsoDate): boolean =>
  weekday(date) <= 5 && !nationalHolidays(date.slice(0, 4)).has(date);

export function bankingDayOnOrAfter(date: IsoDate): IsoDate {
  let day = date;
  while (!isBankingDay(day)) day = addDays(day, 1);
  return day;
}

export function addBankingDays(date: IsoDate, count: number): IsoDate {
  let day = date;
  for (let left = count; left > 0; left -= 1) day = bankingDayOnOrAfter(addDays(day, 1));
  return day;
}
