import { type OutputOf, retrieveLinkedSavings } from '@sparechange/contract';
import { isoDate, shortDay } from '@sparechange/domain';
import type { UseQueryResult } from '@tanstack/react-query';
import { queryOf } from '#api/query.ts';
import { Skeleton } from '#ui/card.tsx';
import { FormError } from '#ui/notice.tsx';
import { NotLoaded } from '#ui/retry.tsx';
import { Small } from '#ui/text-link.tsx';
import { messages } from '../../messages.ts';
import styles from './linked-savings.module.css';

interface LinkedSavingsProps {
  linked: UseQueryResult<OutputOf<typeof retrieveLinkedSavings>['savingsAccount']['document']>;
  /** The words when there is none, different on each screen. */
  none?: string;
}

/** Short enough to fit beside the number without moving it. */
const problemWords = { account_refused: "can't take deposits", number_too_long: 'is too long for banks' };

export function LinkedSavings({ linked, none = messages.noAccountLinked }: LinkedSavingsProps) {
  if (linked.isError && linked.data === undefined) {
    return (
      <div className={styles.failed}>
        <FormError>
          <NotLoaded>{messages.savingsFailed}</NotLoaded>
        </FormError>
      </div>
    );
  }
  if (linked.data === undefined) return <Skeleton width="60%" height={48} />;
  if (linked.data === null) return <p className={styles.none}>{none}</p>;
  return (
    <>
      <p className={styles.account}>
        <span className={styles.name}>{linked.data.accountName}</span>
        <span className={linked.data.problem ? styles.refused : styles.number}>
          {linked.data.accountNumber} {linked.data.problem && problemWords[linked.data.problem]}
        </span>
      </p>
      {!linked.data.problem && linked.data.receivesFrom && (
        <Small>
          Changed just now: to keep your money safe, deposits begin on {shortDay(isoDate(linked.data.receivesFrom))}.
        </Small>
      )}
    </>
  );
}

/** The linked savings account; null when there is none. */
export const savingsQuery = (cdrid: string) =>
  queryOf(retrieveLinkedSavings, { userId: cdrid }, ({ savingsAccount }) => savingsAccount.document);
