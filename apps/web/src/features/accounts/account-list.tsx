import type { BankAccount } from '@sparechange/contract';
import type { ReactNode } from 'react';
import { Skeleton } from '#ui/card.tsx';
import { Checkbox } from '#ui/checkbox.tsx';
import styles from './account-list.module.css';

interface AccountListProps {
  label: string;
  accounts: BankAccount[];
  isTicked: (account: BankAccount) => boolean;
  onChange: (account: BankAccount, isTicked: boolean) => void;
  isDisabled?: (account: BankAccount) => boolean;
  /** The reason why a disabled account cannot be chosen. */
  disabledReason?: string | undefined;
  /** Further lines about an account. */
  about?: (account: BankAccount) => ReactNode;
}

/** The words for the kinds that a provider names. */
const kinds: Record<string, string> = {
  transaction: 'Transaction account',
  savings: 'Saver account',
  'credit-card': 'Credit card',
  mortgage: 'Home loan',
  loan: 'Loan',
  'term-deposit': 'Term deposit',
};

const kindOf = ({ kind }: BankAccount): string | undefined => (kind === undefined ? undefined : kinds[kind]);

/** A checkbox an account, with name, masked number and kind. */
export const AccountList = ({
  label,
  accounts,
  isTicked,
  onChange,
  isDisabled = () => false,
  disabledReason,
  about,
}: AccountListProps) => (
  <fieldset className={styles.list}>
    <legend className="visually-hidden">{label}</legend>
    {accounts.map((account) => (
      <Checkbox
        key={account._id}
        look="row"
        label={account.name}
        detail={
          <>
            {[account.accountNumber, kindOf(account), isDisabled(account) ? disabledReason : undefined]
              .filter((part) => part !== undefined)
              .join(' · ')}
            {about?.(account)}
          </>
        }
        checked={isTicked(account)}
        disabled={isDisabled(account)}
        onChange={(event) => onChange(account, event.target.checked)}
      />
    ))}
  </fieldset>
);

export const AccountSkeletons = () => (
  <div className={styles.list} role="status">
    <span className="visually-hidden">Loading...</span>
    {[0, 1, 2].map((row) => (
      <div key={row} className={styles.skeleton}>
        <Skeleton width={24} height={24} />
        <span>
          <Skeleton width={144} height={14} />
          <Skeleton width={88} height={12} />
        </span>
      </div>
    ))}
  </div>
);
