import { listPeople, type Person, roles } from '@sparechange/contract/console';
import { Button } from '@sparechange/web/ui/button.tsx';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useFilter } from '#api/use-list.ts';
import { singleSignOnQuery } from '#session/session.ts';
import { useOpened } from '../palette/use-opened.ts';
import { Line, OpenRow, Quiet } from '../ui/cells.tsx';
import { instantColumn } from '../ui/columns.tsx';
import { FoldedFilters, optionsOf, SearchField, Select } from '../ui/filters.tsx';
import { type Column, List } from '../ui/list.tsx';
import { PageFrame, Tag } from '../ui/page.tsx';
import { roleNames, statusNames } from '../words.ts';
import { InviteDialog } from './people/invite-dialog.tsx';
import { PeopleNeeded } from './people/people-needed.tsx';
import { PersonDialog } from './people/person-dialog.tsx';

const rolesOf = ({ roles: held }: Person) => held.map((role) => roleNames[role]).join(', ');
const clubsOf = ({ clubs }: Person) => clubs.map(({ name }) => name).join(', ');

/** Says how somebody signs in; by default by the organisation's accounts, treasurers by mailed links. */
function signInOf({ passkeys, hasPassword, lastSignInAt, roles: held }: Person, organisation: string | null): string {
  const ways = [
    passkeys === 1 ? 'a passkey' : passkeys > 1 ? `${passkeys} passkeys` : '',
    hasPassword ? 'password' : '',
  ];
  const others = held.every((role) => role === 'treasurer') ? 'mailed links' : organisation;
  return ways.filter(Boolean).join(', ') || (lastSignInAt && others) || 'not set up';
}

const columnsFor = (open: (person: Person) => void, organisation: string | null): Column<Person>[] => [
  {
    title: 'Person',
    text: ({ name, email }) => `${name} <${email}>`,
    opens: true,
    show: (person) => (
      <>
        <OpenRow onClick={() => open(person)}>{person.name}</OpenRow>
        <Line>{person.email}</Line>
      </>
    ),
  },
  {
    title: 'Roles',
    text: (person) => [rolesOf(person), clubsOf(person)].filter(Boolean).join(': '),
    show: (person) => (
      <>
        {rolesOf(person)}
        {person.clubs.length > 0 && <Quiet>{clubsOf(person)}</Quiet>}
      </>
    ),
  },
  {
    title: 'Status',
    text: ({ status }) => statusNames[status],
    show: ({ status }) => <Tag tone={status === 'active' ? 'good' : 'plain'}>{statusNames[status]}</Tag>,
  },
  { title: 'Signs in with', text: (person) => signInOf(person, organisation), isSecondary: true },
  instantColumn('Last signed in', ({ lastSignInAt }) => lastSignInAt, { empty: 'never', isSecondary: true }),
];

/** Lists the people who sign in, with their roles. */
export default function People() {
  const { filter, setFilter } = useFilter('search', 'status', 'role');
  const [dialog, open] = useOpened('invite');
  const [opened, setOpened] = useState<Person>();
  const { data: organisation = null } = useQuery(singleSignOnQuery);
  return (
    <PageFrame
      title="People"
      lead="Who signs in to the console, and what they may do."
      actions={<Button onClick={() => open('invite')}>Invite somebody</Button>}
    >
      <PeopleNeeded />
      <FoldedFilters
        search={<SearchField value={filter.search ?? ''} onChange={(value) => setFilter('search', value)} />}
        others={[filter.role, filter.status]}
      >
        <Select
          label="Role"
          all="All roles"
          value={filter.role ?? ''}
          onChange={(value) => setFilter('role', value)}
          options={roles.map((value) => ({ value, label: roleNames[value] }))}
        />
        <Select
          label="Status"
          all="Any status"
          value={filter.status ?? ''}
          onChange={(value) => setFilter('status', value)}
          options={optionsOf(statusNames)}
        />
      </FoldedFilters>
      <List
        name="People"
        operation={listPeople}
        filter={filter}
        columns={columnsFor(setOpened, organisation)}
        empty="Nobody matches this filter."
      />
      {dialog === 'invite' && <InviteDialog onClose={() => open()} />}
      {opened && <PersonDialog person={opened} onClose={() => setOpened(undefined)} />}
    </PageFrame>
  );
}
