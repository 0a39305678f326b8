import Holidays from 'date-holidays';
import { expect, test } from 'vitest';
import { isoDate, weekday } from './days.ts';
import { publicHolidays } from './public-holidays.ts';

const years = Array.from({ length: 80 }, (_, index) => String(2024 + index));
const australia = new Holidays('AU');

test('the national holidays of eighty years are those that another calendar lists', () => {
  for (const year of years) {
    const national = australia.getHolidays(Number(year)).filter(({ type }) => type === 'public');
    const weekdays = national.map(({ date }) => isoDate(date.slice(0, 10))).filter((day) => weekday(day) <= 5);
    const withoutBirthday = publicHolidays(year).filter((day) => day.slice(5, 7) !== '06');
    expect(withoutBirthday).toEqual([...new Set(weekdays)].sort());
  }
});

test("the King's Birthday is the second Monday of June", () => {
  const days = ['2026', '2027', '2031'].map((year) => publicHolidays(year).find((day) => day.slice(5, 7) === '06'));
  expect(days).toEqual(['2026-06-08', '2027-06-14', '2031-06-09']);
});
