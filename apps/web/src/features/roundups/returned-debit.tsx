import type { UserRecord } from '@sparechange/contract';
import { formatCents, isoDate, shortDay } from '@sparechange/domain';
import { Warning } from '#ui/notice.tsx';
import { TextLink } from '#ui/text-link.tsx';

type Returned = NonNullable<UserRecord['returnedDebit']>;

type DebitToName = Pick<Returned, 'amountCents' | 'date'>;

/** Names a debit, as in "the $3.42 debit of Mon 23 Nov". */
export const debitName = ({ amountCents, date }: DebitToName, what = 'debit') =>
  `the ${formatCents(amountCents)} ${what} of ${shortDay(isoDate(date))}`;

/** The next step, worded as in the email about it. */
const nextStepText: Record<Exclude<Returned['next'], 'choose_account'>, string> = {
  next_debit: '. We ask once more with your next debit: just have enough in the account that day.',
  two_returns:
    ", the second in a row, so we have paused your round-ups. What's still owing goes with the first debit after you turn them on again.",
  resume: '. It goes with the first debit after you turn your round-ups on again.',
  renew: '. It is not asked for again unless you renew your bank connection.',
};

/** Names the debit that the bank returned and the next step, unless that is another account: the card asks for it. */
export function ReturnedDebit({ debit }: { debit: Returned }) {
  const { next } = debit;
  if (next === 'choose_account') return null;
  return (
    <Warning>
      Your bank returned {debitName(debit)}
      {nextStepText[next]} <TextLink to="/history">Look at your history</TextLink>
    </Warning>
  );
}

/**
 * Tells of a debit reversed after it had cleared, as nothing else on the dashboard explains the smaller total.
 */
export function ReversedDebit({ debit }: { debit: DebitToName }) {
  return (
    <Warning>
      Your bank took back {debitName(debit)}, which had already reached us. We do not ask for it again.{' '}
      <TextLink to="/history">Look at your history</TextLink>
    </Warning>
  );
}
