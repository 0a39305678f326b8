/**
 * Weekdays on which the RBA's settlement system (RITS), over which direct entry settles, is closed: national public holidays
 * and those that New South Wales and Victoria both observe. Sources: "RITS Business Hours" (rba.gov.au), the NSW Public
 * Holidays Act 2010 and the Victorian Public Holidays Act 1993. To be checked against the RBA's list once a year.
 */
export const settlementHolidays: readonly string[] = [
  ...['2026-01-01', '2026-01-26', '2026-04-03', '2026-04-06', '2026-06-08', '2026-12-25', '2026-12-28'],
  ...['2027-01-01', '2027-01-26', '2027-03-26', '2027-03-29', '2027-06-14', '2027-12-27', '2027-12-28'],
  ...['2028-01-03', '2028-01-26', '2028-04-14', '2028-04-17', '2028-04-25', '2028-06-12', '2028-12-25', '2028-12-26'],
  ...['2029-01-01', '2029-01-26', '2029-03-30', '2029-04-02', '2029-04-25', '2029-06-11', '2029-12-25', '2029-12-26'],
  ...['2030-01-01', '2030-01-28', '2030-04-19', '2030-04-22', '2030-04-25', '2030-06-10', '2030-12-25', '2030-12-26'],
  ...['2031-01-01', '2031-01-27', '2031-04-11', '2031-04-14', '2031-04-25', '2031-06-09', '2031-12-25', '2031-12-26'],
  ...['2032-01-01', '2032-01-26', '2032-03-26', '2032-03-29', '2032-06-14', '2032-12-27', '2032-12-28'],
];

export const firstSettlementYear = '2026';
/** The last year that the list covers; later ones are computed by the same rules until the list is continued. */
export const lastSettlementYear = '2032';
