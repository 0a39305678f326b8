import {
  type BankDetailChange,
  type ConsoleClub,
  changeBankDetails,
  retrieveBankDetailChange,
  type StoppedChange,
  stopBankDetailChange,
} from '@sparechange/contract/console';
import { isoDate, longDay, shortDay } from '@sparechange/domain';
import { describeBsb } from '@sparechange/domain/bsb';
import { Button } from '@sparechange/web/ui/button.tsx';
import { TextField } from '@sparechange/web/ui/text-field.tsx';
import { useState } from 'react';
import { call } from '#api/call.ts';
import { useAnswer } from '#api/use-answer.ts';
import { useMay } from '#session/use-may.ts';
import { ActDialog } from '../../ui/act-dialog.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Loading, Pairs, Section } from '../../ui/page.tsx';
import { instantAsDay } from '../../words.ts';
import { changedWithClub } from './club-dialog.tsx';
import styles from './clubs.module.css';

type PaidClub = Pick<ConsoleClub, 'id' | 'name' | 'account'>;

/** Splits "062-000 (Commonwealth Bank) …678 Bay Rovers" into its parts; shown whole where it has another form. */
function partsOf(account: string): [string, string][] {
  const [, bsb, number, name] = /^(.+?) (…\d+) ?(.*)$/s.exec(account) ?? [];
  if (!bsb || !number) return [['Account', account]];
  return [
    ['BSB', bsb],
    ['Account', number],
    ['Name', name || 'none'],
  ];
}

/** A club's account with its number masked, and a pending change with the steps left. */
export function BankDetails({ club }: { club: PaidClub }) {
  const [opened, setOpened] = useState<'change' | 'stop'>();
  const mayChange = useMay(changeBankDetails, { clubId: club.id });
  const { data, error, refetch } = useAnswer(retrieveBankDetailChange, { clubId: club.id });
  const close = () => setOpened(undefined);
  const askButton = (
    <Button look="secondary" onClick={() => setOpened('change')}>
      {data?.change ? 'Ask for another account' : club.account ? 'Ask for a change' : 'Give bank details'}
    </Button>
  );
  return (
    <Section title="Bank details" actions={mayChange && data && askButton}>
      {club.account ? (
        <Pairs className={styles.account} rows={partsOf(club.account)} />
      ) : (
        <p>None yet. What is given is kept for the club and paid once they are confirmed.</p>
      )}
      {!data && (error ? <Failure of={error} again={refetch} /> : <Loading />)}
      {data?.change && <OpenChange change={data.change} />}
      {data?.stopped && <Stopped change={data.stopped} club={club} />}
      {data?.change && mayChange && (
        <div className={styles.stop}>
          <Button look="quiet" onClick={() => setOpened('stop')}>
            Stop this change
          </Button>
        </div>
      )}
      {opened === 'change' && data && <ChangeDialog club={club} contact={data.confirmingContact} onClose={close} />}
      {opened === 'stop' && <StopDialog club={club} onClose={close} />}
    </Section>
  );
}

function Stopped({ change: { endsIn, on, by }, club }: { change: StoppedChange; club: PaidClub }) {
  const day = shortDay(isoDate(on));
  return (
    <p>
      {by === null
        ? `The change to the account that ends in ${endsIn} lapsed on ${day}, as not everybody agreed in time.`
        : `The change to the account that ends in ${endsIn} was stopped on ${day} by ${by === 'contact' ? 'the contact' : by}.`}{' '}
      {club.name} is {club.account ? 'paid as before' : 'not paid yet'}.
    </p>
  );
}

function OpenChange({ change }: { change: BankDetailChange }) {
  const { endsIn, account, accountName, askedBy, askedAt, contactEmail, confirmedAt, agreedBy, effectiveOn, lapsesOn } =
    change;
  return (
    <div>
      <h3 className={styles.changeTitle}>
        A change to {account ?? `the account that ends in ${endsIn}${accountName ? `, ${accountName}` : ''}`}
      </h3>
      <ol className={styles.steps}>
        <li data-done>
          Asked for by {askedBy} on {instantAsDay(askedAt)}
        </li>
        {contactEmail === null ? (
          <li data-done>The club has no contact to ask</li>
        ) : (
          <li data-done={confirmedAt !== null}>
            {confirmedAt
              ? `Confirmed by ${contactEmail} on ${instantAsDay(confirmedAt)}`
              : `Waiting for ${contactEmail} to confirm by the link that was mailed`}
          </li>
        )}
        <li data-done={agreedBy !== null}>
          {agreedBy ? `Agreed to by ${agreedBy}` : 'Waiting for somebody of the organisation, who agrees under Today'}
        </li>
        <li data-done={effectiveOn !== null}>
          {effectiveOn
            ? `Used from ${longDay(isoDate(effectiveOn))}`
            : `Used two banking days after that; lapses on ${shortDay(isoDate(lapsesOn))}`}
        </li>
      </ol>
    </div>
  );
}

interface DialogProps {
  club: PaidClub;
  onClose: () => void;
}

const ChangeDialog = ({ club, contact, onClose }: DialogProps & { contact: string | null }) => (
  <ActDialog
    title="Change bank details"
    action="Ask for the change"
    act={(form) => {
      const given = Object.fromEntries(form) as { bsb: string; accountNumber: string; accountName: string };
      return call(changeBankDetails, { clubId: club.id, ...given });
    }}
    changes={changedWithClub}
    onClose={onClose}
  >
    {(problem) => (
      <>
        <p>
          {contact ? `${contact} is mailed a link to confirm them` : 'The club has no contact to ask'}, a second person
          agrees, and they are used two banking days later. Until then {club.name} is{' '}
          {club.account ? 'paid as before' : 'not paid'}.
        </p>
        <TextField
          label="Name of the account"
          name="accountName"
          required
          maxLength={120}
          error={problem('accountName')}
        />
        <BsbField error={problem('bsb')} />
        <TextField
          label="Account number"
          name="accountNumber"
          required
          inputMode="numeric"
          maxLength={12}
          autoComplete="off"
          error={problem('accountNumber')}
        />
      </>
    )}
  </ActDialog>
);

/** Names the bank of the BSB that is typed; an unknown one may be right, so it is only to be checked. */
function BsbField({ error }: { error: string | undefined }) {
  const [typed, setTyped] = useState('');
  const known = describeBsb(typed);
  const isUnknown = known !== undefined && 'warning' in known;
  const words = known && ('bank' in known ? known.bank : known.warning);
  return (
    <>
      <TextField
        label="BSB"
        name="bsb"
        required
        inputMode="numeric"
        maxLength={7}
        autoComplete="off"
        error={error}
        hint={isUnknown ? <span className={styles.warning}>{words}</span> : (words ?? 'Six digits, such as 062-000')}
        onChange={({ target }) => setTyped(target.value)}
      />
      <span className="visually-hidden" role="status">
        {words}
      </span>
    </>
  );
}

const StopDialog = ({ club, onClose }: DialogProps) => (
  <ActDialog
    title="Stop this change"
    action="Stop it"
    act={() => call(stopBankDetailChange, { clubId: club.id })}
    changes={changedWithClub}
    onClose={onClose}
  >
    {() => (
      <p>
        The new bank details are forgotten, and {club.name} is {club.account ? 'paid as before' : 'not paid yet'}.
      </p>
    )}
  </ActDialog>
);
