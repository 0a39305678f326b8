import type { BankAccount } from '@sparechange/contract';
import { Skeleton } from '#ui/card.tsx';
import { Checkbox } from '#ui/checkbox.tsx';
import styles from './account-list.module.css';

interface AccountListProps {
  label: string;
  accounts: BankAccount[];
  isTicked: (account: BankAccount) => boolean;
  onChange: (account: BankAccount, isTicked: boolean) => void;
  isDisabled?: (account: BankAccount) => boolean;
  /** Why a disabled account cannot be chosen. */
  disabledReason?: string | undefined;
}

/** One checkbox an account, with its name and masked number. */
export const AccountList = ({
  label,
  accounts,
  isTicked,
  onChange,
  isDisabled = () => false,
  disabledReason,
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
            {account.accountNumber}
            {disabledReason && isDisabled(account) && ` · ${disabledReason}`}
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
