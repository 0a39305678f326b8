import { type BankAccount, type OutputOf, retrieveAccountEstimates } from '@sparechange/contract';
import { cents, formatCents, total } from '@sparechange/domain';
import { useQuery } from '@tanstack/react-query';
import { queryOf } from '#api/query.ts';
import { useCaller } from '#features/identity/caller.tsx';
import { Room } from '#ui/notice.tsx';
import styles from './account-estimates.module.css';

type Estimate = NonNullable<OutputOf<typeof retrieveAccountEstimates>['accountEstimates']>[number];

const keptForMs = 300_000;

/** Returns each account's estimate; undefined while loading, null where the bank does not show it. */
function useEstimates() {
  const { cdrid } = useCaller();
  const { data, isError } = useQuery({
    ...queryOf(retrieveAccountEstimates, { cdrid }, ({ accountEstimates }) => accountEstimates),
    staleTime: keptForMs,
    retry: false,
  });
  return isError ? null : data;
}

/** Returns the account with most purchases, if any has one. */
function suggestedOf(estimates: Estimate[] | null | undefined): string | undefined {
  const [most] = (estimates ?? []).toSorted((one, other) => other.purchases - one.purchases);
  return most && most.purchases > 0 ? most.accountId : undefined;
}

/** Shows an account's estimated round-ups, and suggests the account with the most purchases. */
export function AccountEstimate({ account }: { account: BankAccount }) {
  const estimates = useEstimates();
  const estimate = estimates?.find(({ accountId }) => accountId === account._id);
  const isSuggested = suggestedOf(estimates) === account._id;
  return (
    <span className={isSuggested ? `${styles.estimate} ${styles.suggested}` : styles.estimate}>
      {estimates === undefined ? 'Looking at your purchases…' : estimateWords(estimate, isSuggested)}
    </span>
  );
}

function estimateWords(estimate: Estimate | undefined, isSuggested: boolean): string {
  if (!estimate) return 'Purchases not known yet';
  if (estimate.purchases === 0) return 'No purchases in 4 weeks';
  return `${isSuggested ? 'Suggested: about' : 'Would give about'} ${formatCents(estimate.weeklyCents)} a week`;
}

const weekOf = (amount: string) => `About ${amount} a week, going by your last 4 weeks.`;

/** The longest text for a week. */
const weekRoom = weekOf('$100.00');

/** Shows the chosen accounts' total for a week. */
export function WeekOfAccounts({ chosen }: { chosen: ReadonlySet<string> }) {
  const estimates = useEstimates();
  const week = total((estimates ?? []).map((each) => (chosen.has(each.accountId) ? each.weeklyCents : cents(0))));
  return (
    <Room words={weekRoom}>
      <p role="status" className={styles.week}>
        {week > 0 && weekOf(formatCents(week))}
      </p>
    </Room>
  );
}
