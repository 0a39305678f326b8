import {
  accountName,
  type PaymentTrace,
  retrieveClub,
  retrievePayment,
  retrieveSupporter,
} from '@sparechange/contract/console';
import { becsReasons, formatCents, type ReturnCode, shortDay } from '@sparechange/domain';
import { counted } from '@sparechange/domain/counted';
import { Notice } from '@sparechange/web/ui/notice.tsx';
import type { ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { useAnswer } from '#api/use-answer.ts';
import { useMay } from '#session/use-may.ts';
import { Line } from '../../ui/cells.tsx';
import { amountColumn, dayColumn } from '../../ui/columns.tsx';
import { Failure } from '../../ui/failure.tsx';
import { type Column, Table } from '../../ui/list.tsx';
import { Loading, Note, PageFrame, Pairs, Section, Tag } from '../../ui/page.tsx';
import { SaveRows } from '../../ui/save-rows.tsx';
import { instantInWords } from '../../words.ts';
import { kindInWords } from '../mail/mail-words.ts';
import { PaymentActs } from './payment-acts.tsx';
import { afterReturnInWords, codeInWords, kindNames, relationInWords, stateNames, toneOf } from './payment-words.ts';
import styles from './payments.module.css';
import { SaveDossier } from './save-dossier.tsx';

/** Returns the reason that a payment was returned or refused. */
function failureOf({ returnCode, failure }: PaymentTrace): string | undefined {
  if (returnCode === null) return failure ?? undefined;
  return `Code ${returnCode}, ${becsReasons[returnCode as ReturnCode] ?? 'unknown'}`;
}

function PaymentFacts({ trace }: { trace: PaymentTrace }) {
  const { supporter, club, account, savingsCents, refundsCents, refundableCents, providerReference, reason } = trace;
  const maySeeSupporter = useMay(retrieveSupporter);
  const maySeeClubs = useMay(retrieveClub, { clubId: club?.id });
  const facts: [string, ReactNode][] = [
    [
      'Supporter',
      supporter && (
        <>
          {maySeeSupporter ? <Link to={`/supporters/${supporter.id}`}>{supporter.name}</Link> : supporter.name}{' '}
          <Line>{supporter.email}</Line>
        </>
      ),
    ],
    ['Club', club && (maySeeClubs ? <Link to={`/clubs/${club.id}`}>{club.name}</Link> : club.name)],
    ['Account', account],
    ["Provider's reference", providerReference ?? 'None given yet'],
    ['For savings', savingsCents ? formatCents(savingsCents) : undefined],
    ['Less, for refunded purchases', refundsCents ? formatCents(refundsCents) : undefined],
    ['Why it did not arrive', failureOf(trace)],
    ['What follows', afterReturnInWords(trace)],
    ['Reason', reason],
    ['Can still be refunded', refundableCents === null ? undefined : formatCents(refundableCents)],
  ];
  return <Pairs className={styles.facts} rows={facts.filter(([, value]) => value)} />;
}

interface Step {
  at: string;
  what: string;
}

/** Returns the events of a payment, earliest first. */
function stepsOf(trace: PaymentTrace): Step[] {
  const { plannedAt, submittingAt, submittedAt, unknownSince, parkedAt, outcomeAt, attempts, lastAnswer } = trace;
  const unanswered = `No clear answer from the provider so far: ${counted(attempts, 'attempt')}${lastAnswer ? `, the last: ${lastAnswer}` : ''}`;
  const steps: [string | null, string][] = [
    [plannedAt, 'Planned'],
    [submittedAt ? null : submittingAt, 'Being sent to the provider'],
    [submittedAt, 'Sent to the provider'],
    [unknownSince, unanswered],
    [parkedAt, 'Parked: it is asked for no more until somebody decides'],
    [outcomeAt, [stateNames[trace.state], failureOf(trace)].filter(Boolean).join(': ')],
  ];
  const stateSteps = steps.flatMap(([at, what]) => (at === null ? [] : [{ at, what }]));
  const actSteps = trace.notes.map(({ at, action, because }) => ({
    at,
    what: `${codeInWords(action)}${because ? ` (${because})` : ''}`,
  }));
  return [...stateSteps, ...actSteps].sort((one, other) => one.at.localeCompare(other.at));
}

type Entry = PaymentTrace['entries'][number];
type Related = PaymentTrace['related'][number];
type Purchase = PaymentTrace['purchases'][number];
type Mail = PaymentTrace['mails'][number];

const relatedColumns: Column<Related>[] = [
  {
    title: 'Payment',
    text: ({ relation, kind, reference }) => `${relationInWords(relation, kind)} ${reference}`,
    opens: true,
    show: ({ relation, kind, reference }) => (
      <>
        {`${relationInWords(relation, kind)} `}
        <Link to={`/payments/${reference}`} className={styles.reference}>
          {reference}
        </Link>
      </>
    ),
  },
  dayColumn('Planned', ({ plannedOn }) => plannedOn, { isSecondary: true }),
  amountColumn('Amount', ({ amountCents }) => amountCents),
  {
    title: 'State',
    text: ({ state }) => stateNames[state],
    show: ({ state }) => <Tag tone={toneOf(state)}>{stateNames[state]}</Tag>,
  },
];

const purchaseColumns: Column<Purchase>[] = [
  dayColumn('Day', ({ day }) => day),
  amountColumn('Purchase', ({ purchaseCents }) => purchaseCents),
  amountColumn('Counted', ({ countedCents }) => countedCents),
];

const entryColumns: Column<Entry>[] = [
  dayColumn('Booked', ({ bookedOn }) => bookedOn),
  { title: 'Step', text: ({ transfer }) => codeInWords(transfer) },
  { title: 'Account', text: ({ account }) => accountName(account) },
  amountColumn('Amount', ({ cents }) => cents),
];

const outcomeOfMail = ({ sentAt, isGivenUp, failure }: Mail): string => {
  if (sentAt) return `Sent ${instantInWords(sentAt)}`;
  return isGivenUp ? `Not delivered: ${failure ?? 'no reason given'}` : 'Waits to be sent';
};

const mailColumns: Column<Mail>[] = [
  { title: 'Mail', text: ({ about }) => kindInWords(about) },
  { title: 'Status', text: outcomeOfMail },
];

/** A section with a table; renders nothing without rows. */
function TableSection<Row extends object>({
  title,
  rows,
  columns,
  note,
  reference,
}: {
  title: string;
  reference: string;
  rows: Row[];
  columns: Column<Row>[];
  note?: string | undefined;
}) {
  if (rows.length === 0) return null;
  return (
    <section className={styles.part}>
      <h2 className={styles.partTitle}>{title}</h2>
      <Table name={title} columns={columns} rows={rows} keyOf={(_row, index) => String(index)} />
      {note && <Note>{note}</Note>}
      <SaveRows name={`${title} ${reference}`} columns={columns} rows={rows} />
    </section>
  );
}

/** The page of one payment: its facts, its history and the acts it allows. */
export default function Payment() {
  const { reference = '' } = useParams();
  // Typed values belong to one payment, even when the browser goes back to another.
  return <PaymentPage key={reference} reference={reference} />;
}

function PaymentPage({ reference }: { reference: string }) {
  const { data: trace, error, refetch } = useAnswer(retrievePayment, { reference });
  const backLink = <Link to="/payments">All payments</Link>;
  if (!trace && error)
    return (
      <PageFrame title="Payment" lead={backLink}>
        <Failure of={error} otherwise="There is no such payment." again={refetch} />
      </PageFrame>
    );
  if (!trace) return <Loading />;
  return (
    <PageFrame
      title={`${kindNames[trace.kind]} of ${formatCents(trace.amountCents)}`}
      lead={
        <>
          {backLink} · {trace.reference} <Tag tone={toneOf(trace.state)}>{stateNames[trace.state]}</Tag>
        </>
      }
      actions={
        <>
          <PaymentActs trace={trace} />
          <SaveDossier trace={trace} />
        </>
      }
    >
      {trace.waiting.map(({ id, summary, askedBy, expiresOn }) => (
        <Notice kind="information" key={id}>
          Waits for a second person until {shortDay(expiresOn)}: {summary}, asked for by {askedBy}.
        </Notice>
      ))}
      <div className={styles.columns}>
        <Section title="The payment">
          <PaymentFacts trace={trace} />
        </Section>
        <Section title="What happened">
          <ol className={styles.steps}>
            {stepsOf(trace).map(({ at, what }) => (
              <li key={at + what}>
                <time dateTime={at}>{instantInWords(at)}</time>
                {what}
              </li>
            ))}
          </ol>
        </Section>
      </div>
      <TableSection
        reference={trace.reference}
        title="Related payments"
        rows={trace.related}
        columns={relatedColumns}
      />
      <TableSection
        reference={trace.reference}
        title="Purchases behind it"
        rows={trace.purchases}
        columns={purchaseColumns}
        note={trace.hasMorePurchases ? `Only the latest ${trace.purchases.length} are shown.` : undefined}
      />
      <TableSection reference={trace.reference} title="Ledger" rows={trace.entries} columns={entryColumns} />
      <TableSection reference={trace.reference} title="Mails about it" rows={trace.mails} columns={mailColumns} />
    </PageFrame>
  );
}
