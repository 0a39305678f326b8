import { type FoundSupporter, listSupporters, type SupporterFilterState } from '@sparechange/contract/console';
import { Link, Route, Routes } from 'react-router';
import { useFilter } from '#api/use-list.ts';
import { Quiet } from '../ui/cells.tsx';
import { Filters, optionsOf, SearchField, Select } from '../ui/filters.tsx';
import { type Column, List } from '../ui/list.tsx';
import { PageFrame, Tag } from '../ui/page.tsx';
import { NamesToReview } from './supporters/names-to-review.tsx';
import { SupporterPage } from './supporters/supporter.tsx';
import { statusOf } from './supporters/supporter-state.ts';
import styles from './supporters/supporters.module.css';

/** Finds and shows supporters, and lists accounts in another name. */
export default function Supporters() {
  return (
    <Routes>
      <Route index element={<FindSupporters />} />
      <Route path="names" element={<NamesToReview />} />
      <Route path=":supporterId" element={<SupporterPage />} />
    </Routes>
  );
}

const columns: Column<FoundSupporter>[] = [
  {
    title: 'Supporter',
    text: ({ name, email }) => `${name} <${email}>`,
    opens: true,
    show: ({ id, name, email }) => (
      <>
        <Link to={id} className={styles.name}>
          {name}
        </Link>
        <Quiet>{email}</Quiet>
      </>
    ),
  },
  { title: 'Mobile', text: ({ mobile }) => mobile, isSecondary: true },
  {
    title: 'Club',
    text: ({ club, tenant }) => `${club} (${tenant})`,
    show: ({ club, tenant }) => (
      <>
        {club}
        <Quiet>{tenant}</Quiet>
      </>
    ),
    isSecondary: true,
  },
  {
    title: 'Status',
    text: (supporter) => statusOf(supporter).words,
    show: (supporter) => <Tag tone={statusOf(supporter).tone}>{statusOf(supporter).words}</Tag>,
  },
];

const stateNames: Record<SupporterFilterState, string> = { on_hold: 'On hold' };

function FindSupporters() {
  const { filter, setFilter } = useFilter('search', 'state');
  return (
    <PageFrame
      title="Supporters"
      lead="Find one by name, email, mobile number, id, or the reference on a bank statement."
      actions={
        <Link to="names" className={styles.name}>
          Names to review
        </Link>
      }
    >
      <Filters>
        <SearchField
          value={filter.search ?? ''}
          placeholder="Name, email, mobile, reference"
          onChange={(value) => setFilter('search', value)}
        />
        <Select
          label="State"
          all="Any state"
          value={filter.state ?? ''}
          onChange={(value) => setFilter('state', value)}
          options={optionsOf(stateNames)}
        />
      </Filters>
      <List
        name="Supporters"
        operation={listSupporters}
        filter={filter}
        columns={columns}
        empty="Nobody matches. Try the beginning of the first name, last name or email address."
      />
    </PageFrame>
  );
}
