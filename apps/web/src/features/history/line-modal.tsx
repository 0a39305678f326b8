import { type LineChain, retrieveLine } from '@sparechange/contract';
import { described, historyDate, isoDate, noCents, parseDollars, shortDay } from '@sparechange/domain';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { queryOf } from '#api/query.ts';
import { useCaller } from '#features/identity/caller.tsx';
import { hasSavings } from '#tenant/pages.ts';
import { Skeleton } from '#ui/card.tsx';
import { Modal, ModalActions } from '#ui/modal.tsx';
import { Money } from '#ui/money.tsx';
import { TryAgain } from '#ui/retry.tsx';
import { messages } from '../../messages.ts';
import styles from './line-modal.module.css';
import { roundingWords, stateWords, whyWords } from './line-words.ts';

/** Shows a bank line's trace, up to the club. */
export default function LineModal({ lineId, onClose }: { lineId: string; onClose: () => void }) {
  const { cdrid } = useCaller();
  const { data, isPending, isError, refetch } = useQuery(queryOf(retrieveLine, { cdrid, lineId }, ({ line }) => line));
  return (
    <Modal title="Every cent" onClose={onClose}>
      {isPending && <Skeleton width="100%" height={320} />}
      {isError && <TryAgain onRetry={refetch}>{messages.dashboardFailed}</TryAgain>}
      {data && <Chain line={data} />}
      <ModalActions onCancel={onClose} cancel="Close" />
    </Modal>
  );
}

function Chain({ line }: { line: LineChain }) {
  const { bank, rounding, debits, shares, remittance, deposit } = line;
  const why = whyWords(line);
  return (
    <ol className={styles.chain}>
      <Step title="At your bank" amount={<Money amountCents={parseDollars(bank.amount) ?? noCents} />}>
        <p>{described(bank.description)}</p>
        <p>
          {historyDate(isoDate(bank.date))}
          {bank.account && `, ${bank.account}`}
        </p>
      </Step>
      <Step
        title={rounding ? 'Rounded up' : line.why === 'a refund' ? 'Taken off' : 'Not rounded up'}
        amount={rounding && <Money amountCents={rounding.countedCents} />}
      >
        {rounding && rounding.rawCents > 0 && <p>{roundingWords(line)}</p>}
        {why && <p>{why}</p>}
      </Step>
      {debits.map((debit) => (
        <Step
          key={debit.reference}
          title={shortDay(isoDate(debit.date))}
          amount={<Money amountCents={debit.amountCents} />}
        >
          <p>Debit with your other round-ups: {stateWords[debit.state]}</p>
          {debit.state === 'cleared' && debit.refundedCents > 0 && (
            <p>
              Refunded to you: <Money amountCents={debit.refundedCents} />
            </p>
          )}
          <Reference>Reference {debit.reference}</Reference>
          {debit.providerReference && <Reference>At the payment provider {debit.providerReference}</Reference>}
        </Step>
      ))}
      {shares && (
        <Step title={shares.club} amount={<Money amountCents={shares.clubCents} />}>
          <Paid payout={remittance} waiting="Paid to them once the debit is complete" />
        </Step>
      )}
      {shares && shares.savingsCents !== 0 && hasSavings() && (
        <Step title="Your savings" amount={<Money amountCents={shares.savingsCents} />}>
          <Paid payout={deposit} waiting="Deposited with the next month's savings" />
        </Step>
      )}
    </ol>
  );
}

const Step = ({ title, amount, children }: { title: string; amount?: ReactNode; children: ReactNode }) => (
  <li>
    <p className={styles.title}>
      <span className={styles.words}>{title}</span>
      {amount}
    </p>
    {children}
  </li>
);

const Reference = ({ children }: { children: ReactNode }) => <p className={styles.reference}>{children}</p>;

function Paid({ payout, waiting }: { payout: LineChain['remittance']; waiting: string }) {
  if (!payout) return <p>{waiting}</p>;
  return (
    <>
      <p>
        Paid {shortDay(isoDate(payout.date))}: {stateWords[payout.state]}
      </p>
      <Reference>Reference {payout.reference}</Reference>
    </>
  );
}
