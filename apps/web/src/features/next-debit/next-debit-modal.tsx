import { type NextDebit, setDebitNotices, setDebitSkipped } from '@sparechange/contract';
import { isoDate, shortDay } from '@sparechange/domain';
import { useQuery } from '@tanstack/react-query';
import { call } from '#api/call.ts';
import { useCaller } from '#features/identity/caller.tsx';
import { Button } from '#ui/button.tsx';
import { Modal, ModalActions } from '#ui/modal.tsx';
import { Money } from '#ui/money.tsx';
import { FormProblem } from '#ui/notice.tsx';
import { Room } from '#ui/room.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { Switch } from '#ui/switch.tsx';
import { TryAgain } from '#ui/try-again.tsx';
import { messages } from '../../messages.ts';
import { LowBalanceSetting } from './low-balance-setting.tsx';
import styles from './next-debit-modal.module.css';
import { nextDebitQuery } from './next-debit-query.ts';
import { Purchases } from './purchases.tsx';
import { useNextDebitChange } from './use-next-debit-change.ts';

/** All there is to know about the next debit before it is taken, and the choice to skip it. */
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
      <ModalActions problem={{ words: messages.somethingWrong, isShown: skip.isError }}>
        <Button look="quiet" onClick={onClose}>
          Close
        </Button>
        {data && (
          // As wide whatever it reads.
          <Button look="secondary" style={{ flexBasis: 152 }} isBusy={skip.isPending} onClick={() => skip.mutate(data)}>
            {data.isSkipped ? 'Undo skip' : 'Skip this debit'}
          </Button>
        )}
      </ModalActions>
    </Modal>
  );
}

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

const deferredWords = ({ date, because }: NonNullable<NextDebit['waited']>): string =>
  `Nothing was taken on ${shortDay(isoDate(date))}, because ${reasons[because]}. It goes with this debit.`;

const skippedWords = ({ run, date }: Pick<NextDebit, 'run' | 'date'>): string =>
  `You are skipping ${shortDay(isoDate(run))}. Nothing is lost: what waits goes with the debit of ${shortDay(isoDate(date))}.`;

function Facts({ nextDebit }: { nextDebit: NextDebit }) {
  const { run, isSkipped, date, amountCents, account, statementTexts, purchases, waited, balanceFloorCents, hasMails } =
    nextDebit;
  return (
    <>
      <div className={styles.note}>
        <Room words={skippedWords({ run, date: run })}>
          <p role="status">
            {isSkipped
              ? skippedWords({ run, date })
              : 'You may skip it until 6 am Sydney time on that day. What waits goes with the debit after it.'}
          </p>
        </Room>
      </div>
      {waited && (
        <p role="status" className={styles.note}>
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
      <MailSwitch hasMails={hasMails} />
    </>
  );
}

function MailSwitch({ hasMails }: Pick<NextDebit, 'hasMails'>) {
  const { cdrid } = useCaller();
  const save = useNextDebitChange((isOn: boolean) => call(setDebitNotices, { cdrid, isOn }));
  return (
    <div>
      <Switch
        label="Mail me the evening before"
        isOn={save.isPending ? save.variables : hasMails}
        onChange={(isOn) => save.mutate(isOn)}
      />
      <FormProblem words={messages.somethingWrong} isShown={save.isError} />
    </div>
  );
}
