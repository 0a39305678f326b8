import type { RoundUpHistoryItem } from '@sparechange/contract';
import { csv, dollars, noCents, parseDollars, textCell } from '@sparechange/domain';
import { itemsNewestFirst } from '#features/history/newest-first.ts';

const states: Record<RoundUpHistoryItem['state'], string> = {
  waiting: 'Waiting',
  submitted: 'Being debited',
  cleared: 'Debited',
  refunded: 'Refunded to you',
  returned: 'Returned',
  dropped: 'Dropped',
  none: '',
};

/** Without it Excel reads UTF-8 as Windows-1252 and spoils names. */
const byteOrderMark = '\uFEFF';

/** The round-up history for a spreadsheet: ISO days, the bank's whole text, plain dollars that can be added up. */
export const historyCsv = (items: RoundUpHistoryItem[]): string =>
  byteOrderMark +
  csv([
    ['Date', 'Description', 'Amount', 'Roundup', 'State', 'Why'],
    ...itemsNewestFirst(items).map(({ createdDate, description, amount, debitAmountCents, state, why }) => [
      createdDate,
      textCell(description),
      dollars(parseDollars(amount) ?? noCents),
      dollars(debitAmountCents),
      states[state],
      why ?? '',
    ]),
  ]);
