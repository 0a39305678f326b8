const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** "Nov-26" as a number that grows with time. */
function monthNumber(monthYear: string): number {
  const [name = '', year = ''] = monthYear.split('-');
  return Number(year) * 12 + monthNames.indexOf(name);
}

export const monthsNewestFirst = <Month extends { monthYear: string }>(months: Month[]): Month[] =>
  months.toSorted((one, other) => monthNumber(other.monthYear) - monthNumber(one.monthYear));
