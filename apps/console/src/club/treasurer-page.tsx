import { Fragment, type ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { useOperator } from '#session/session.ts';
import { Select } from '../ui/filters.tsx';
import { PageFrame } from '../ui/page.tsx';

interface TreasurerPageProps {
  title: string;
  children: (clubId: string) => ReactNode;
}

/** A treasurer's page about the club that the address names; a treasurer of several clubs chooses one there. */
export function TreasurerPage({ title, children }: TreasurerPageProps) {
  const { clubs } = useOperator();
  const [params, setParams] = useSearchParams();
  const club = clubs.find(({ id }) => id === params.get('club')) ?? clubs[0];
  if (!club) return null;
  return (
    <PageFrame
      title={title}
      lead={clubs.length === 1 && club.name}
      actions={
        clubs.length > 1 && (
          <Select
            label="Club"
            value={club.id}
            options={clubs.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={(id) => setParams({ club: id })}
          />
        )
      }
    >
      {/* What is typed and pressed is about one club. */}
      <Fragment key={club.id}>{children(club.id)}</Fragment>
    </PageFrame>
  );
}
