import type { UseQueryResult } from '@tanstack/react-query';
import { FormError } from '#ui/notice.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { messages } from '../../messages.ts';
import styles from './linked-savings.module.css';

interface LinkedSavingsProps {
  linked: UseQueryResult<{ accountName: string; accountNumber: string } | null>;
  /** What it reads when there is none; the two screens write it differently (spec section 8). */
  none?: string;
}

export function LinkedSavings({ linked, none = messages.noAccountLinked }: LinkedSavingsProps) {
  if (linked.isError) {
    return (
      <div className={styles.failed}>
        <FormError>{messages.savingsFailed}</FormError>
      </div>
    );
  }
  if (linked.data === undefined) return <Skeleton width="60%" height={48} />;
  if (linked.data === null) return <p className={styles.none}>{none}</p>;
  return (
    <p className={styles.account}>
      <span className={styles.name}>{linked.data.accountName}</span>
      <span className={styles.number}>{linked.data.accountNumber}</span>
    </p>
  );
}
