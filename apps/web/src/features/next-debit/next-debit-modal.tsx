import {
  type DebitNotices,
  type NextDebit,
  retrieveNextDebit,
  setBalanceFloor,
  setDebitNotices,
  setDebitSkipped,
} from '@sparechange/contract';
import {
  type BalanceFloor,
  described,
  isoDate,
  merchantName,
  noCents,
  parseDollars,
  shortDay,
} from '@sparechange/domain';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, onceMoreIfUnanswered } from '#api/api-error.ts';
import { call } from '#api/call.ts';
import { queryOf } from '#api/query.ts';
import { useCaller } from '#features/identity/caller.tsx';
import { userQuery } from '#features/identity/user-query.ts';
import { messages } from '#messages.ts';
import { Button } from '#ui/button.tsx';
import { Skeleton } from '#ui/card.tsx';
import { Choice } from '#ui/choice.tsx';
import { Modal, ModalActions } from '#ui/modal.tsx';
import { Money } from '#ui/money.tsx';
import { FormProblem, Room } from '#ui/notice.tsx';
import { TryAgain } from '#ui/retry.tsx';
import { Small } from '#ui/text-link.tsx';
import { debitHasBegun } from './debit-has-begun.ts';
import { DebitNoticesChoice } from './debit-notices-choice.tsx';
import styles from './next-debit-modal.module.css';

/** The details of the next debit before it is taken, and the choice to skip it. */
export default function NextDebitModal({ onClose }: { onClose: () => void }) {
  const { cdrid } = useCaller();
  const { data, isPending, isError, refetch } = useQuery(nextDebitQuery(cdrid));
  const skip = useNextDebitChange(({ run, isSkipped }: NextDebit) =>
    call(setDebitSkipped, { cdrid, date: run, isSkipped: !isSkipped }),
  );
  return (
    <Modal title="Next debit" onClose={onClose}>
      {isPending && <FactsWaiting />}
      {isError && data === undefined && <TryAgain onRetry={refetch}>{messages.dashboardFailed}</TryAgain>}
      {data === null && <p>There is nothing to debit just now.</p>}
      {data && <Facts nextDebit={data} />}
      <ModalActions
        problem={{
          words: isTooLate(skip.error) ? debitHasBegun : messages.somethingWrong,
          isShown: skip.isError,
          room: debitHasBegun,
        }}
        onCancel={onClose}
        cancel="Close"
      >
        {data && (
          // Both labels have this width.
          <Button look="secondary" style={{ flexBasis: 152 }} isBusy={skip.isPending} onClick={() => skip.mutate(data)}>
            {data.isSkipped ? 'Undo skip' : 'Skip this debit'}
          </Button>
        )}
      </ModalActions>
    </Modal>
  );
}

const isTooLate = (error: unknown): boolean => error instanceof ApiError && error.status === 409;

/** About as tall as the facts; the modal grows little. */
const FactsWaiting = () => (
  <div role="status" className={styles.waiting}>
    <span className="visually-hidden">Loading...</span>
    {[116, 232, 132, 44].map((height) => (
      <Skeleton key={height} width="100%" height={height} />
    ))}
  </div>
);

const reasons = {
  'below floor': 'there was less in your account than you chose',
  'below debit': 'there was less in your account than the debit',
  'not readable': 'your bank did not tell us the balance',
} as const;

const unbrokenDay = (day: string): string => shortDay(isoDate(day)).replaceAll(' ', '\u00a0');

const deferredWords = ({ date, because }: NonNullable<NextDebit['waited']>): string =>
  `Nothing was taken on ${unbrokenDay(date)}, because ${reasons[because]}. It goes with this debit.`;

const skippedWords = ({ run, date }: Pick<NextDebit, 'run' | 'date'>): string =>
  `You are skipping ${unbrokenDay(run)}. These round-ups will be added to the debit on ${unbrokenDay(date)}.`;

function Facts({ nextDebit }: { nextDebit: NextDebit }) {
  const {
    run,
    isSkipped,
    date,
    amountCents,
    account,
    statementTexts,
    purchases,
    waited,
    balanceFloorCents,
    debitNotices,
  } = nextDebit;
  return (
    <>
      <div className={styles.room}>
        <Room words={skippedWords({ run, date: run })}>
          <p role="status" className={isSkipped ? styles.note : `${styles.note} ${styles.even}`}>
            {isSkipped
              ? skippedWords({ run, date })
              : `You can skip this debit until 6\u00a0am (Sydney) on ${unbrokenDay(run)}. We'll add it to the next one.`}
          </p>
        </Room>
      </div>
      {waited && (
        <p role="status" className={`${styles.note} ${styles.even}`}>
          {deferredWords(waited)}
        </p>
      )}
      <dl className={styles.facts}>
        <dt>When</dt>
        <dd>{shortDay(isoDate(date))}</dd>
        <dt>So far</dt>
        <dd>
          <Money amountCents={amountCents} />
        </dd>
        <dt>Taken from</dt>
        <dd>
          {account.name} <span className={styles.number}>{account.accountNumber}</span>
        </dd>
        <dt>On your statement</dt>
        <dd>
          {statementTexts.map((text) => (
            <span key={text} className={styles.text}>
              {text}
            </span>
          ))}
        </dd>
      </dl>
      <Purchases purchases={purchases} />
      <LowBalanceSetting floor={balanceFloorCents} />
      <MailSetting debitNotices={debitNotices} />
    </>
  );
}

function MailSetting({ debitNotices }: Pick<NextDebit, 'debitNotices'>) {
  const { cdrid } = useCaller();
  const save = useNextDebitChange((debitNotices: DebitNotices) => call(setDebitNotices, { cdrid, debitNotices }));
  return (
    <DebitNoticesChoice
      value={save.isPending ? save.variables : debitNotices}
      onChange={(chosen) => save.mutate(chosen)}
      problem={save.isError ? messages.somethingWrong : undefined}
    />
  );
}

const floors = [
  { value: 0, label: 'Off' },
  { value: 50_00, label: '$50' },
  { value: 100_00, label: '$100' },
  { value: 200_00, label: '$200' },
] as const;

const lowBalanceHelp =
  "We check your balance just before each debit. If it's too low, we try again on the next debit day. After three tries we drop it and you owe nothing.";

/** The balance below which a debit waits. */
function LowBalanceSetting({ floor }: { floor: BalanceFloor }) {
  const { cdrid } = useCaller();
  const save = useNextDebitChange((balanceFloorCents: BalanceFloor) =>
    call(setBalanceFloor, { cdrid, balanceFloorCents }),
  );
  const chosen = save.isPending ? save.variables : floor;
  return (
    <div className={styles.guard}>
      <Choice
        legend="Don't debit me when my balance is under..."
        options={floors}
        value={chosen}
        onChange={(value) => save.mutate(value)}
      />
      <FormProblem words={messages.somethingWrong} isShown={save.isError} room={lowBalanceHelp}>
        {!save.isError && <Small>{chosen === 0 ? 'Debits are taken whatever your balance is.' : lowBalanceHelp}</Small>}
      </FormProblem>
    </div>
  );
}

const shownAtFirst = 5;

/** Lists the purchases of the next debit, newest first; the first few until more are asked for. */
function Purchases({ purchases }: Pick<NextDebit, 'purchases'>) {
  const [isWhole, setWhole] = useState(false);
  if (purchases.length === 0) return <p>No round-ups yet. They appear here a day or so after a purchase.</p>;
  const shown = isWhole ? purchases : purchases.slice(0, shownAtFirst);
  return (
    <section className={styles.purchases} aria-label="Purchases">
      <ul>
        {shown.map(({ date, description, amount, roundUpCents }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two equal purchases of one day differ in nothing else
          <li key={`${date} ${description} ${index}`}>
            <span className={styles.purchase}>
              {described(merchantName(description))}
              <small>
                {shortDay(isoDate(date))}, <Money amountCents={parseDollars(amount) ?? noCents} />
              </small>
            </span>
            <Money amountCents={roundUpCents} />
          </li>
        ))}
      </ul>
      {shown.length < purchases.length && (
        <Button look="quiet" onClick={() => setWhole(true)}>
          Show all {purchases.length} purchases
        </Button>
      )}
    </section>
  );
}

/**
 * Saves a choice about the next debit. The answer is the new state and is shown from then on; after a failure the state
 * is refetched. The dashboard's line follows.
 */
function useNextDebitChange<Value>(save: (value: Value) => Promise<{ nextDebit: NextDebit | null }>) {
  const client = useQueryClient();
  const { userId, cdrid } = useCaller();
  return useMutation({
    mutationFn: save,
    scope: { id: 'next debit' },
    retry: onceMoreIfUnanswered, // it may be saved already: saving it again shows that
    onSuccess: async ({ nextDebit }) => {
      await client.cancelQueries(nextDebitQuery(cdrid)); // one under way may have been answered before this save
      client.setQueryData(nextDebitQuery(cdrid).queryKey, nextDebit);
    },
    onError: (error) => {
      console.error(error);
      void client.invalidateQueries(nextDebitQuery(cdrid));
    },
    onSettled: () => client.invalidateQueries(userQuery(userId)),
  });
}

/** Fetched at each opening, as purchases arrive through the day. */
const nextDebitQuery = (cdrid: string) => ({
  ...queryOf(retrieveNextDebit, { cdrid }, ({ nextDebit }) => nextDebit),
  staleTime: 0,
});
