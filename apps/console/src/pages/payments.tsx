import { type ListedPayment, listPayments } from '@sparechange/contract/console';
import { longDay } from '@sparechange/domain';
import { Link, Route, Routes } from 'react-router';
import { useFilter } from '#api/use-list.ts';
import { Quiet } from '../ui/cells.tsx';
import { amountColumn, dayColumn } from '../ui/columns.tsx';
import { dayIn } from '../ui/day-in.ts';
import { DayFields, Filters, optionsOf, SearchField, Select } from '../ui/filters.tsx';
import { type Column, List } from '../ui/list.tsx';
import { PageFrame, Tag } from '../ui/page.tsx';
import { AmountFilter } from './parts/amount-field.tsx';
import Payment from './payments/payment.tsx';
import { kindNames, stateNames, toneOf } from './payments/payment-words.ts';
import styles from './payments/payments.module.css';

const whoOf = ({ supporter, club }: ListedPayment) => supporter?.name ?? club?.name ?? '';

const columns: Column<ListedPayment>[] = [
  dayColumn('Planned', ({ plannedOn }) => plannedOn, { isSecondary: true }),
  {
    title: 'Payment',
    text: ({ kind, reference }) => `${kindNames[kind]} ${reference}`,
    opens: true,
    show: ({ kind, reference, plannedOn }) => (
      <>
        {kindNames[kind]}
        <span className={styles.onPhone}>, {longDay(plannedOn)}</span>
        <Link to={`/payments/${reference}`} className={styles.reference}>
          {reference}
        </Link>
      </>
    ),
  },
  {
    title: 'Who',
    text: (row) => [whoOf(row), row.supporter?.email].filter(Boolean).join(', '),
    show: (row) => (
      <>
        {whoOf(row)}
        {row.supporter && <Quiet>{row.supporter.email}</Quiet>}
      </>
    ),
    isSecondary: true,
  },
  amountColumn('Amount', ({ amountCents }) => amountCents),
  {
    title: 'State',
    text: ({ state }) => stateNames[state],
    show: ({ state }) => <Tag tone={toneOf(state)}>{stateNames[state]}</Tag>,
  },
];

/** "from 22 Nov 2026 to 28 Nov 2026": payments outside those days are not in the list. */
function daysInWords({ from, to }: { from?: string; to?: string }): string {
  const [first, last] = [dayIn(from ?? ''), dayIn(to ?? '')];
  const words = [first && `from ${longDay(first)}`, last && `${first ? '' : 'up '}to ${longDay(last)}`];
  return words.filter(Boolean).join(' ') || 'of any day';
}

function PaymentList() {
  const { filter, setFilter } = useFilter('search', 'kind', 'state', 'amount', 'from', 'to');
  const problems = listPayments.input.safeParse(filter).error?.issues ?? [];
  const problemOf = (name: string) => problems.find(({ path }) => path[0] === name)?.message;
  return (
    <PageFrame title="Payments" lead="Debits, donations, savings deposits, payouts to clubs and refunds.">
      <Filters>
        <SearchField value={filter.search ?? ''} onChange={(value) => setFilter('search', value)} />
        <AmountFilter value={filter.amount ?? ''} onChange={(value) => setFilter('amount', value)} />
        <DayFields filter={filter} onChange={setFilter} problemOf={problemOf} />
        <Select
          label="Kind"
          all="All kinds"
          value={filter.kind ?? ''}
          onChange={(value) => setFilter('kind', value)}
          options={optionsOf(kindNames)}
        />
        <Select
          label="State"
          all="Any state"
          value={filter.state ?? ''}
          onChange={(value) => setFilter('state', value)}
          options={optionsOf(stateNames)}
        />
      </Filters>
      <p className={styles.hint}>
        Search by a reference of a bank statement (its first 9 characters are enough), a name, an email address or a
        mobile number. Without days, payments of every day are searched.
      </p>
      <List
        name="Payments"
        operation={listPayments}
        filter={filter}
        columns={columns}
        empty={`No payment ${daysInWords(filter)} matches. Check the reference, or remove a filter.`}
      />
    </PageFrame>
  );
}

/** Finds and lists payments, and shows one of them. */
export default function Payments() {
  return (
    <Routes>
      <Route index element={<PaymentList />} />
      <Route path=":reference" element={<Payment />} />
    </Routes>
  );
}
