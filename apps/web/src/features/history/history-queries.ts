import { debitsAllTime, debitsYTD, retrieveTotalDebits } from '@sparechange/contract';
import { type Cents, formatCents, noCents, subtract } from '@sparechange/domain';
import { queryOf } from '#api/query.ts';

export interface Donated {
  cents: Cents;
  /** The part not yet confirmed by the bank. */
  inFlightCents: Cents;
  /** Donated to date, where some was in earlier years. */
  allTimeCents?: Cents | undefined;
}

export const yearToDateQuery = (cdrid: string) =>
  queryOf(
    debitsYTD,
    { cdrid },
    ({ debitYTD, inFlightCents = noCents, allTimeCents }): Donated => ({
      cents: debitYTD,
      inFlightCents,
      allTimeCents,
    }),
  );

export const allTimeQuery = (cdrid: string) =>
  queryOf(
    debitsAllTime,
    { cdrid },
    ({ debitAllTime, inFlightCents = noCents }): Donated => ({
      cents: debitAllTime,
      inFlightCents,
    }),
  );

export const monthlyQuery = (cdrid: string) =>
  queryOf(retrieveTotalDebits, { cdrid }, ({ debitHistory }) => debitHistory.documents);

/** Returns what the bank has confirmed to date. */
export const arrivedCents = ({ cents: given, allTimeCents = given, inFlightCents }: Donated): Cents =>
  subtract(allTimeCents, inFlightCents);

/** Says how much is unconfirmed; `none` where nothing was debited. */
export function inFlightWords(donated: Donated, none: string): string {
  if (donated.inFlightCents > 0) return `${formatCents(donated.inFlightCents)} on its way`;
  return donated.cents === 0 ? none : 'All received';
}
