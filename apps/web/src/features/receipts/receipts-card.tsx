import { downloadReceipt, listReceipts, type Receipt } from '@sparechange/contract';
import { csv, dollars, isoDate, noCents, parseDollars, periodInWords, textCell } from '@sparechange/domain';
import { type UseQueryResult, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '#api/call.ts';
import { queryOf } from '#api/query.ts';
import type { Line } from '#features/history/history-lines.ts';
import { roundUpStates } from '#features/history/line-words.ts';
import { useCaller } from '#features/identity/caller.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { Money } from '#ui/money.tsx';
import { FormError } from '#ui/notice.tsx';
import { TryAgain } from '#ui/retry.tsx';
import { saveFile } from '#ui/save-file.ts';
import { slides } from '#ui/slides.ts';
import { LinkButton } from '#ui/text-link.tsx';
import { messages } from '../../messages.ts';
import styles from './receipts-card.module.css';

const shownAtFirst = 3;

interface ReceiptsCardProps {
  receipts: UseQueryResult<Receipt[]>;
  lines: Line[];
}

/** Documents to keep: a receipt a month, a statement a financial year, and the history for a spreadsheet. */
export function ReceiptsCard({ receipts: { data: receipts, isError, refetch }, lines }: ReceiptsCardProps) {
  const [showsAll, setShowsAll] = useState(false);
  const shown = showsAll ? receipts : receipts?.slice(0, shownAtFirst);
  return (
    <Card title="Receipts">
      {isError && !receipts && <TryAgain onRetry={refetch}>{messages.dashboardFailed}</TryAgain>}
      <p className={styles.quiet}>
        {receipts?.length === 0
          ? 'Your first receipt will be here early in the month after your first debit has cleared.'
          : 'A debit is on the receipt for the month it cleared.'}
      </p>
      {shown && shown.length > 0 && (
        <ul ref={slides} className={styles.list}>
          {shown.map((receipt) => (
            <ReceiptRow key={`${receipt.kind} ${receipt.firstDay}`} receipt={receipt} />
          ))}
        </ul>
      )}
      <div className={styles.more}>
        {receipts && receipts.length > shownAtFirst && (
          <LinkButton aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
            {showsAll ? 'Show fewer' : `Show all ${receipts.length}`}
          </LinkButton>
        )}
        {lines.length > 0 && (
          <LinkButton
            onClick={() =>
              saveFile([historyCsv(lines)], { name: 'round-up-history.csv', type: 'text/csv;charset=utf-8' })
            }
          >
            Download history as CSV
          </LinkButton>
        )}
      </div>
    </Card>
  );
}

/** "November 2026", "financial year 2025–26" */
function nameOf({ kind, firstDay, lastDay }: Receipt): string {
  if (kind === 'month') return periodInWords({ kind, firstDay: isoDate(firstDay) });
  return `financial year ${firstDay.slice(0, 4)}–${lastDay.slice(2, 4)}`;
}

function ReceiptRow({ receipt }: { receipt: Receipt }) {
  const { cdrid } = useCaller();
  const save = useMutation({ mutationFn: () => saveReceipt(cdrid, receipt) });
  const name = nameOf(receipt);
  return (
    <li>
      <span className={styles.name}>
        Cleared in {name} <Money amountCents={receipt.totalCents} className={styles.amount} />
      </span>
      <Button look="secondary" isBusy={save.isPending} onClick={() => save.mutate()} aria-label={`Download ${name}`}>
        Download
      </Button>
      {save.isError && <FormError>{messages.somethingWrong}</FormError>}
    </li>
  );
}

export const receiptsQuery = (cdrid: string) => queryOf(listReceipts, { cdrid }, ({ receipts }) => receipts);

/** Saves the receipt, which the first download issues. */
async function saveReceipt(cdrid: string, { kind, firstDay }: Receipt): Promise<void> {
  const { fileName, pdf } = await call(downloadReceipt, { cdrid, kind, firstDay });
  const bytes = Uint8Array.from(atob(pdf), (letter) => letter.charCodeAt(0));
  saveFile([bytes], { name: fileName, type: 'application/pdf' });
}

/** Without it Excel reads UTF-8 as Windows-1252 and spoils names. */
const byteOrderMark = '\uFEFF';

/** The history for a spreadsheet: ISO days, the bank's whole text, plain dollars that can be added up. */
export const historyCsv = (lines: Line[]): string =>
  byteOrderMark +
  csv([
    ['Date', 'Description', 'Amount', 'Roundup', 'State', 'Why', 'Debited', 'Club'],
    ...lines.map(({ day, name, description, amount, cents, state, why, debitedOn, givenCents, isPurchase }) => [
      day,
      textCell(description ?? name),
      amount === undefined ? dollars(cents) : dollars(parseDollars(amount) ?? noCents),
      isPurchase ? dollars(cents) : '',
      roundUpStates[state] ?? '',
      why ?? '',
      debitedOn ?? '',
      givenCents === undefined ? '' : dollars(givenCents),
    ]),
  ]);
