import { listTenants, retrieveTenant, type TenantSummary } from '@sparechange/contract/console';
import { Button } from '@sparechange/web/ui/button.tsx';
import { Link, Route, Routes } from 'react-router';
import { useFilter } from '#api/use-list.ts';
import { useMay } from '#session/use-may.ts';
import { useOpened } from '../palette/use-opened.ts';
import { Dotted } from '../ui/cells.tsx';
import { instantColumn } from '../ui/columns.tsx';
import { Filters, optionsOf, SearchField, Select } from '../ui/filters.tsx';
import { type Column, List } from '../ui/list.tsx';
import { PageFrame } from '../ui/page.tsx';
import { NewTenantDialog } from './tenants/new-tenant-dialog.tsx';
import { StateTag, stateNames } from './tenants/state-tag.tsx';
import { NewTenant, StoredTenant } from './tenants/tenant-editor.tsx';
import styles from './tenants/tenants.module.css';

/** Lists the brands; below it, one brand's editor. */
export default function Tenants() {
  return (
    <Routes>
      <Route index element={<TenantList />} />
      <Route path=":key" element={<StoredTenant />} />
      <Route path=":key/new" element={<NewTenant />} />
    </Routes>
  );
}

const columnsFor = (isEditor: boolean): Column<TenantSummary>[] => [
  {
    title: 'Brand',
    text: ({ name, address }) => `${name} (${address})`,
    opens: true,
    show: ({ id, name, mark, address }) => (
      <div className={styles.brand}>
        <img src={mark} alt="" width={40} height={40} />
        <div>
          {isEditor ? <Link to={id}>{name}</Link> : <strong>{name}</strong>}
          <span className={styles.quiet}>
            <Dotted name={new URL(address).host} />
          </span>
        </div>
      </div>
    ),
  },
  { title: 'State', text: ({ state }) => stateNames[state], show: ({ state }) => <StateTag state={state} /> },
  {
    title: 'Colours',
    text: ({ colours }) => colours.join(' '),
    show: ({ colours }) => (
      <svg viewBox="0 0 72 24" width={72} height={24} aria-label={colours.join(', ')} role="img">
        {[...new Set(colours)].map((colour, at) => (
          <circle key={colour} cx={12 + at * 22} cy={12} r={10.5} fill={colour} className={styles.colour} />
        ))}
      </svg>
    ),
    isSecondary: true,
  },
  instantColumn('Last saved', ({ savedAt }) => savedAt, { isSecondary: true }),
  { title: 'Version', text: ({ version }) => String(version), isSecondary: true, isAmount: true },
];

function TenantList() {
  const { filter, setFilter } = useFilter('search', 'state');
  const isEditor = useMay(retrieveTenant);
  const [opened, open] = useOpened('add');
  return (
    <PageFrame
      title="Tenants"
      lead="The brands that supporters see, each at its own address."
      actions={
        isEditor && (
          <>
            <Link to="redirects" className={styles.link}>
              Redirects
            </Link>
            <Button onClick={() => open('add')}>New brand</Button>
          </>
        )
      }
    >
      <Filters>
        <SearchField value={filter.search ?? ''} onChange={(value) => setFilter('search', value)} />
        <Select
          label="State"
          all="Any state"
          value={filter.state ?? ''}
          onChange={(value) => setFilter('state', value)}
          options={optionsOf(stateNames)}
        />
      </Filters>
      <List
        name="Tenants"
        operation={listTenants}
        filter={filter}
        columns={columnsFor(isEditor)}
        empty="No brand matches this filter."
      />
      {opened === 'add' && isEditor && <NewTenantDialog onClose={() => open()} />}
    </PageFrame>
  );
}
