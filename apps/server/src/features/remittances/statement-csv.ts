import { csv, dollars, negate, textCell } from '@sparechange/domain';
import type { ClubStatement } from './club-statement.ts';

/** For a spreadsheet: a line a supporter, amounts in dollars, and nothing else, so that columns can be added up. */
export const statementCsv = ({ supporters, corrections, heldBackCents }: ClubStatement): string =>
  csv([
    ['Supporter', 'Round-ups', 'One-off donations', 'Taken back', 'Total'],
    ...supporters.map((line) => [
      textCell(line.supporter),
      dollars(line.roundUpCents),
      dollars(line.donationCents),
      dollars(line.takenBackCents),
      dollars(line.totalCents),
    ]),
    ...corrections
      .filter(({ isRemitted }) => isRemitted)
      .map((each) => [textCell(`Correction ${each.date}: ${each.reason ?? each.id}`), '', '', '', dollars(each.cents)]),
    ...(heldBackCents === 0 ? [] : [['Reserve', '', '', '', dollars(negate(heldBackCents))]]),
  ]).trimEnd();
