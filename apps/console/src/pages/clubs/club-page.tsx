import { type ConsoleClub, downloadPayouts, retireClub, retrieveClub, saveClub } from '@sparechange/contract/console';
import { cents, formatCents } from '@sparechange/domain';
import { Button } from '@sparechange/web/ui/button.tsx';
import { Notice } from '@sparechange/web/ui/notice.tsx';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link, NavLink, Route, Routes, useParams } from 'react-router';
import { call } from '#api/call.ts';
import { sentenceOf } from '#api/call-problem.ts';
import { useMay } from '#session/use-may.ts';
import { ClubFigures } from '../../club/figures.tsx';
import { ClubLink } from '../../club/link.tsx';
import { ClubPayouts } from '../../club/payouts.tsx';
import { Loading, PageFrame, Section } from '../../ui/page.tsx';
import { BankDetails } from './bank-details.tsx';
import { ClubBalance } from './club-balance.tsx';
import { ClubDialog } from './club-dialog.tsx';
import { ClubEndTag, formatAbn } from './club-state.tsx';
import styles from './clubs.module.css';
import { RetireDialog } from './retire-dialog.tsx';
import { Statement } from './statement.tsx';

/** One club: its money, its bank details, and what its page says. */
export function ClubPage() {
  const { clubId = '' } = useParams();
  const club = useQuery({ queryKey: [retrieveClub.name, clubId], queryFn: () => call(retrieveClub, { clubId }) });
  if (club.data) return <OneClub club={club.data} />;
  return (
    <PageFrame title="Club" lead={<BackLink />}>
      {club.error ? <Notice>{sentenceOf(club.error) ?? 'There is no such club.'}</Notice> : <Loading />}
    </PageFrame>
  );
}

const BackLink = () => <Link to="/clubs">All clubs</Link>;

function OneClub({ club }: { club: ConsoleClub }) {
  const [opened, setOpened] = useState<'edit' | 'retire'>();
  const close = () => setOpened(undefined);
  const mayEdit = useMay(saveClub);
  const mayRetire = useMay(retireClub);
  const maySeePayouts = useMay(downloadPayouts);
  return (
    <PageFrame
      title={club.name}
      lead={
        <>
          <BackLink /> · <ClubEndTag {...club} />
        </>
      }
      actions={
        <>
          {mayRetire && (
            <Button look="quiet" onClick={() => setOpened('retire')}>
              {club.retiredFrom === null ? 'Retire' : 'Reinstate'}
            </Button>
          )}
          {mayEdit && (
            <Button look="secondary" onClick={() => setOpened('edit')}>
              Edit
            </Button>
          )}
        </>
      }
    >
      {maySeePayouts && <Parts clubId={club.id} />}
      <Routes>
        <Route
          index
          element={
            <>
              <Figures club={club} />
              <BankDetails club={club} />
              <Facts club={club} />
            </>
          }
        />
        <Route path="raised" element={<ClubFigures clubId={club.id} />} />
        <Route path="payouts" element={<ClubPayouts clubId={club.id} />} />
        <Route path="statement" element={<Statement clubId={club.id} />} />
        <Route path="balance" element={<ClubBalance club={club} />} />
        <Route path="link" element={<ClubLink clubId={club.id} />} />
      </Routes>
      {opened === 'edit' && <ClubDialog club={club} onClose={close} />}
      {opened === 'retire' && <RetireDialog club={club} onClose={close} />}
    </PageFrame>
  );
}

/** Leads to what the club's own treasurer sees as well. */
const Parts = ({ clubId }: { clubId: string }) => (
  <nav aria-label="About this club" className={styles.parts}>
    {[
      ['', 'Details'],
      ['/raised', 'Raised and forecast'],
      ['/payouts', 'Payouts and files'],
      ['/statement', 'Statement'],
      ['/balance', 'Balance and corrections'],
      ['/link', 'Link and poster'],
    ].map(([part, title]) => (
      <NavLink key={title} to={`/clubs/${clubId}${part}`} end>
        {title}
      </NavLink>
    ))}
  </nav>
);

function Figures({ club }: { club: ConsoleClub }) {
  const figures: [string, string][] = [
    ['Raised in all', formatCents(cents(club.collectedCents))],
    ['To be paid', formatCents(cents(club.payableCents))],
    ['On its way', formatCents(cents(club.inTransitCents))],
    ['Paid', formatCents(cents(club.remittedCents))],
    ...(club.reservedCents > 0 ? [['Held back', formatCents(cents(club.reservedCents))] as [string, string]] : []),
    ['Supporters', String(club.supporters)],
  ];
  return (
    <Section title="Money">
      <dl className={styles.figures}>
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

function Facts({ club }: { club: ConsoleClub }) {
  const facts: [string, ReactNode][] = [
    [
      'Page',
      <a key="page" href={club.address} target="_blank" rel="noreferrer">
        {club.address.replace(/^https?:\/\//, '')}
      </a>,
    ],
    ['Brand', club.tenant],
    ['Under', club.parent && <Link to={`/clubs/${club.parent.id}`}>{club.parent.name}</Link>],
    ['Contact', club.contactEmail],
    ['ABN', club.abn && formatAbn(club.abn)],
    ['Suburb', club.suburb],
    ['Sport or cause', club.sport],
    ['Goal', club.goalDollars && formatCents(cents(club.goalDollars * 100)).replace(/\.00$/, '')],
    ['Paragraph', club.about],
    ['Logo', club.logo],
    ['Picture', club.picture],
  ];
  return (
    <Section title="Details">
      <dl className={styles.facts}>
        {facts.map(([name, value]) => (
          <Fact key={name} name={name}>
            {value || <span className={styles.quiet}>none</span>}
          </Fact>
        ))}
      </dl>
    </Section>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);
