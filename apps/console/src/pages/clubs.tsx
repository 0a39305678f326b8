import {
  addClub,
  type ClubRow,
  ClubSort,
  listClubRequests,
  listClubs,
  retrieveClubContact,
} from '@sparechange/contract/console';
import { Button } from '@sparechange/web/ui/button.tsx';
import { Link, Route, Routes } from 'react-router';
import { useFilter } from '#api/use-list.ts';
import { useMay } from '#session/use-may.ts';
import { useOpened } from '../palette/use-opened.ts';
import { Quiet } from '../ui/cells.tsx';
import { amountColumn } from '../ui/columns.tsx';
import { FoldedFilters, optionsOf, SearchField, Select } from '../ui/filters.tsx';
import { type Column, List } from '../ui/list.tsx';
import { PageFrame, Tag } from '../ui/page.tsx';
import { ClubDialog, useClubChoices } from './clubs/club-dialog.tsx';
import { ClubPage } from './clubs/club-page.tsx';
import { ClubEndTag, clubStateNames, endInWords, supportersInWords } from './clubs/club-state.tsx';
import styles from './clubs/clubs.module.css';
import { FiguresByBrand } from './clubs/figures-by-brand.tsx';
import { Requests, RequestsLink } from './clubs/requests.tsx';
import { tenantOptions } from './tenants/tenant-options.ts';

type Account = Pick<ClubRow, 'hasAccount' | 'isAccountChanging'>;

/** Returns the state of a club's bank details in words; empty where they are in use. */
const accountInWords = ({ hasAccount, isAccountChanging }: Account): string => {
  if (isAccountChanging) return clubStateNames.account_changing;
  return hasAccount ? '' : clubStateNames.without_account;
};

const AccountTag = (row: Account) =>
  accountInWords(row) && <Tag tone={row.isAccountChanging ? 'plain' : 'bad'}>{accountInWords(row)}</Tag>;

const columns: Column<ClubRow>[] = [
  {
    title: 'Club',
    sort: 'name',
    text: ({ name }) => name,
    opens: true,
    show: ({ id, name, suburb, parent, ...row }) => (
      <>
        <Link to={`/clubs/${id}`} className={styles.name}>
          {name}
        </Link>
        <Quiet>{[suburb, parent && `under ${parent}`].filter(Boolean).join(' · ')}</Quiet>
        <span className={`${styles.tags} ${styles.onPhone}`}>
          {row.endsOn !== null && <ClubEndTag {...row} />}
          <AccountTag {...row} />
        </span>
      </>
    ),
  },
  { title: 'Brand', text: ({ tenant }) => tenant, isSecondary: true },
  {
    title: 'State',
    text: (row) => [endInWords(row), accountInWords(row)].filter(Boolean).join(', '),
    show: (row) => (
      <span className={styles.tags}>
        <ClubEndTag {...row} />
        <AccountTag {...row} />
      </span>
    ),
    isSecondary: true,
  },
  { title: 'Supporters', text: ({ supporters }) => supportersInWords(supporters), isAmount: true, isSecondary: true },
  amountColumn('This month', ({ monthCents }) => monthCents, { isSecondary: true }),
  amountColumn('Raised', ({ collectedCents }) => collectedCents, { sort: '-raised' }),
];

/** Clubs that supporters give to, and others' requests to join. */
export default function Clubs() {
  return (
    <Routes>
      <Route index element={<ClubList />} />
      <Route path="requests" element={<Requests />} />
      <Route path=":clubId/*" element={<ClubPage />} />
    </Routes>
  );
}

function ClubList() {
  const { filter: asked, setFilter } = useFilter('search', 'tenant', 'state', 'supporters', 'sort');
  const { sort, ...filter } = asked;
  const [opened, open] = useOpened('add');
  const { data: choices } = useClubChoices();
  const mayAdd = useMay(addClub);
  const maySeeRequests = useMay(listClubRequests);
  const seesFew = useMay(retrieveClubContact); // numbers of supporters below five, as contacts, are the organisation's
  const foundBy = seesFew ? 'name, suburb, link, ABN or contact' : 'name, suburb, link or ABN';
  return (
    <PageFrame
      title="Clubs"
      lead="The clubs that supporters give to, and whether they can be paid."
      actions={
        <>
          {maySeeRequests && <RequestsLink />}
          {mayAdd && <Button onClick={() => open('add')}>Add a club</Button>}
        </>
      }
    >
      <FiguresByBrand />
      <FoldedFilters
        search={<SearchField value={filter.search ?? ''} onChange={(value) => setFilter('search', value)} />}
        others={[filter.tenant, filter.state, filter.supporters]}
      >
        <Select
          label="Brand"
          all="All brands"
          value={filter.tenant ?? ''}
          onChange={(value) => setFilter('tenant', value)}
          options={tenantOptions(choices?.tenants ?? [])}
        />
        <Select
          label="State"
          all="Any state"
          value={filter.state ?? ''}
          onChange={(value) => setFilter('state', value)}
          options={optionsOf(clubStateNames)}
        />
        <Select
          label="Supporters"
          all="All clubs"
          value={filter.supporters ?? ''}
          onChange={(value) => setFilter('supporters', value)}
          options={[{ value: 'some', label: seesFew ? 'Only clubs with supporters' : 'Only clubs with 5 or more' }]}
        />
      </FoldedFilters>
      <List
        name="Clubs"
        operation={listClubs}
        filter={filter}
        columns={columns}
        sorting={{ by: ClubSort.safeParse(sort).data ?? 'name', onSort: (by) => setFilter('sort', by) }}
        empty={`No club matches this filter. A club is found by its ${foundBy}.`}
      />
      {opened === 'add' && mayAdd && <ClubDialog onClose={() => open()} />}
    </PageFrame>
  );
}
