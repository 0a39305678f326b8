import { type ListedPayment, listPayments, PaymentSort } from '@sparechange/contract/console';
import { longDay } from '@sparechange/domain';
import { LinkButton } from '@sparechange/web/ui/text-link.tsx';
import { Link, Route, Routes } from 'react-router';
import { useFilter } from '#api/use-list.ts';
import { amountColumn, Day, dayColumn } from '../ui/columns.tsx';
import { dayIn } from '../ui/day-in.ts';
import { DayFields, FoldedFilters, optionsOf, SearchField, Select } from '../ui/filters.tsx';
import { type Column, List } from '../ui/list.tsx';
import { PageFrame, Tag } from '../ui/page.tsx';
import { AmountFilter } from './parts/amount-field.tsx';
import Payment from './payments/payment.tsx';
import { PaymentSum } from './payments/payment-sum.tsx';
import { kindNames, stateNames, toneOf } from './payments/payment-words.ts';
import styles from './payments/payments.module.css';

const whoOf = ({ supporter, club }: ListedPayment) => supporter?.name ?? club?.name ?? '';

const columns: Column<ListedPayment>[] = [
  dayColumn('Planned', ({ plannedOn }) => plannedOn, { isSecondary: true, sort: '-planned' }),
  {
    title: 'Payment',
    sort: 'kind',
    text: ({ kind, reference }) => `${kindNames[kind]} ${reference}`,
    opens: true,
    show: (row) => (
      <span className={styles.payment}>
        {kindNames[row.kind]}
        <span className={styles.onPhone}>
          , <Day on={row.plannedOn} />
        </span>{' '}
        <span className={styles.whoOnPhone}>{whoOf(row)}</span>
        <Link to={`/payments/${row.reference}`} className={styles.reference} data-line>
          {row.reference}
        </Link>
      </span>
    ),
  },
  {
    title: 'Who',
    text: (row) => [whoOf(row), row.supporter?.email].filter(Boolean).join(', '),
    show: (row) => (
      <span className={styles.who} title={row.supporter?.email}>
        {whoOf(row)} {row.supporter && <span className={styles.email}>{row.supporter.email}</span>}
      </span>
    ),
    isSecondary: true,
  },
  amountColumn('Amount', ({ amountCents }) => amountCents, { sort: '-amount' }),
  {
    title: 'State',
    sort: 'state',
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
  const { filter: asked, setFilter } = useFilter('search', 'kind', 'state', 'amount', 'from', 'to', 'sort');
  const { sort, ...filter } = asked;
  const problems = listPayments.input.safeParse(filter).error?.issues ?? [];
  const searchAllDays = () => {
    setFilter('from', '');
    setFilter('to', '');
  };
  const problemOf = (name: string) => problems.find(({ path }) => path[0] === name)?.message;
  return (
    <PageFrame title="Payments">
      <FoldedFilters
        search={
          <SearchField
            value={filter.search ?? ''}
            placeholder="Name, email, reference"
            onChange={(value) => setFilter('search', value)}
          />
        }
        others={[filter.amount, filter.from, filter.to, filter.kind, filter.state]}
      >
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
      </FoldedFilters>
      <List
        name="Payments"
        operation={listPayments}
        filter={filter}
        columns={columns}
        sorting={{ by: PaymentSort.safeParse(sort).data ?? '-planned', onSort: (by) => setFilter('sort', by) }}
        summary={<PaymentSum filter={filter} />}
        empty={
          <>
            No payment {daysInWords(filter)} matches. Check the reference, or remove a filter.{' '}
            {(filter.from || filter.to) && <LinkButton onClick={searchAllDays}>Search all days</LinkButton>}
          </>
        }
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
