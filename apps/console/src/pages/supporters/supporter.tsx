import { retrieveSupporter, type SupporterDetails } from '@sparechange/contract/console';
import { Link, useParams } from 'react-router';
import { useAnswer } from '#api/use-answer.ts';
import { Failure } from '../../ui/failure.tsx';
import { Loading, Note, PageFrame, Pairs, Section, Tag } from '../../ui/page.tsx';
import { instantInWords } from '../../words.ts';
import { MailList } from '../mail/mail-list.tsx';
import { SupporterActs } from './supporter-acts.tsx';
import { SupporterReceipts } from './supporter-receipts.tsx';
import { dayInWords, money, nextDebitOf, statesOf } from './supporter-state.ts';
import { Timeline } from './supporter-timeline.tsx';
import styles from './supporters.module.css';

/** One supporter, as support sees them. */
export function SupporterPage() {
  const { supporterId = '' } = useParams();
  const { data: supporter, error, refetch } = useAnswer(retrieveSupporter, { supporterId });
  if (!supporter && error)
    return (
      <PageFrame title="Supporter">
        <Failure of={error} otherwise="There is no such supporter." again={refetch} />
        <p>
          <Link to="/supporters">Find another</Link>
        </p>
      </PageFrame>
    );
  if (!supporter) return <Loading />;
  return (
    // Open dialogs belong to one supporter.
    <PageFrame key={supporterId} title={supporter.name} lead={`${supporter.email} · ${supporter.mobile}`}>
      <div className={styles.columns}>
        <div className={styles.column}>
          <Section title="State">
            <ul className={styles.states}>
              {statesOf(supporter).map(({ tone, words }) => (
                <li key={words} data-tone={tone}>
                  <span className={styles.dot} aria-hidden="true" />
                  <span>{words}</span>
                </li>
              ))}
            </ul>
          </Section>
          <NextDebit supporter={supporter} />
          <Accounts accounts={supporter.accounts} />
        </div>
        <Details supporter={supporter} />
      </div>
      <section className={styles.mails}>
        <h2>Mails</h2>
        <MailList filter={{ supporterId }} isOfOneSupporter empty="No mail has gone to them." />
      </section>
      <SupporterReceipts supporterId={supporterId} />
      <Timeline supporterId={supporterId} />
    </PageFrame>
  );
}

function NextDebit({ supporter }: { supporter: SupporterDetails }) {
  const { record, pending } = supporter;
  const amounts = [
    ['Being debited', pending.debits.cents + pending.donations.cents],
    ['Donations to come', pending.donationsToCome.cents],
    [
      supporter.closedOn ? 'To be dropped' : 'Waiting',
      pending.waitingCents === record.nextDebit?.amountCents ? 0 : pending.waitingCents,
    ],
    ['Set aside for savings', pending.setAsideCents + pending.deposits.cents],
    ['Refunds on their way', pending.refunds.cents],
  ] as const;
  const facts = amounts.flatMap(([name, amount]) => (amount > 0 ? [[name, money(amount)] as const] : []));
  return (
    <Section title="Next debit">
      <p>
        {record.nextDebit && <span className={styles.figure}>{money(record.nextDebit.amountCents)} </span>}
        {nextDebitOf(supporter)}
      </p>
      {facts.length > 0 && <Pairs className={styles.facts} rows={facts} />}
    </Section>
  );
}

function Details({ supporter }: { supporter: SupporterDetails }) {
  const { record, club, tenant, registeredAt, onboardedOn, isEmailProven, id, email } = supporter;
  const limit = record.weeklyMaximumLimit;
  return (
    <div className={styles.column}>
      <SupporterActs supporter={supporter} />
      <Section title="Supporter">
        <Pairs
          className={styles.facts}
          rows={[
            ['Club', club],
            ['Tenant', tenant],
            ['Registered', instantInWords(registeredAt)],
            ['Set up', onboardedOn ? dayInWords(onboardedOn) : 'not yet'],
            ['Email address', isEmailProven ? 'confirmed' : 'not confirmed yet'],
            [
              'Payments',
              <Link key="payments" to={`/payments?${new URLSearchParams({ search: email })}`}>
                See payments
              </Link>,
            ],
            ['Id', id],
          ]}
        />
      </Section>
      <Section title="Settings">
        <Pairs
          className={styles.facts}
          rows={[
            ['Rounds up to', money(Number(record.roundupAmountCents))],
            ['Weekly limit', limit > 0 ? money(limit) : 'none'],
            ['Savings', record.savingsAccountEnabled ? 'half is saved for them' : 'off'],
          ]}
        />
      </Section>
    </div>
  );
}

const Accounts = ({ accounts }: Pick<SupporterDetails, 'accounts'>) => (
  <Section title="Accounts">
    {accounts.length === 0 && <Note>No bank account is known.</Note>}
    <ul className={styles.accounts}>
      {accounts.map(({ id, name, maskedNumber, isDebited, isTracked, isListed }) => (
        <li key={id}>
          <span>
            {name}
            <span className={styles.quiet}>{maskedNumber}</span>
          </span>
          <span className={styles.tags}>
            {isDebited && <Tag tone="good">Debited</Tag>}
            {isTracked && <Tag>Rounded up</Tag>}
            {!isListed && <Tag tone="bad">Not shown by the bank</Tag>}
          </span>
        </li>
      ))}
    </ul>
  </Section>
);
