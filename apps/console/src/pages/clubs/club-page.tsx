import {
  type ConsoleClub,
  type ConsoleOperation,
  listClubPayouts,
  retireClub,
  retrieveBankDetailChange,
  retrieveClub,
  retrieveClubBalance,
  retrieveClubContact,
  retrieveClubFigures,
  retrieveClubLink,
  retrieveClubStatement,
  retrievePendingPayouts,
  saveClub,
} from '@sparechange/contract/console';
import { formatCents, shortDay } from '@sparechange/domain';
import { clubPosition } from '@sparechange/domain/club-position';
import { Button } from '@sparechange/web/ui/button.tsx';
import { Notice } from '@sparechange/web/ui/notice.tsx';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link, NavLink, Route, Routes, useLocation, useParams } from 'react-router';
import type { z } from 'zod';
import { useAnswer } from '#api/use-answer.ts';
import { useMay, useMayCall } from '#session/use-may.ts';
import { ClubContact } from '../../club/contact.tsx';
import { ClubFigures } from '../../club/figures.tsx';
import { ClubLink } from '../../club/link.tsx';
import { ClubPayouts } from '../../club/payouts.tsx';
import { Dotted } from '../../ui/cells.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Loading, PageFrame, Pairs, Section } from '../../ui/page.tsx';
import { wholeDollars } from '../../ui/whole-dollars.ts';
import { shownAddress } from '../../words.ts';
import { BankDetails } from './bank-details.tsx';
import { ClubBalance } from './club-balance.tsx';
import { ClubDialog } from './club-dialog.tsx';
import { ClubEndTag, formatAbn, supportersInWords } from './club-state.tsx';
import styles from './clubs.module.css';
import { RetireDialog } from './retire-dialog.tsx';
import { Statement } from './statement.tsx';

/** One club: its money, its bank details, and what its page says. */
export function ClubPage() {
  const { clubId = '' } = useParams();
  const club = useAnswer(retrieveClub, { clubId });
  // Typed values belong to one club, also where the browser goes back to another.
  if (club.data) return <OneClub key={club.data.id} club={club.data} />;
  return (
    <PageFrame title="Club" lead={<BackLink />}>
      {club.error ? <Failure of={club.error} otherwise="There is no such club." again={club.refetch} /> : <Loading />}
    </PageFrame>
  );
}

/** A part of the page, for people who may make its call; some parts are also shown to the club's own treasurer. */
interface Part {
  path: string;
  title: string;
  needs: ConsoleOperation;
  element: ReactNode;
}

const partsOf = (club: ConsoleClub): Part[] => [
  { path: '', title: 'Details', needs: retrieveClub, element: <Details club={club} /> },
  {
    path: 'raised',
    title: 'Raised and forecast',
    needs: retrieveClubFigures,
    element: <ClubFigures clubId={club.id} />,
  },
  { path: 'payouts', title: 'Payouts', needs: listClubPayouts, element: <ClubPayouts clubId={club.id} /> },
  {
    path: 'contact',
    title: 'Contact and mails',
    needs: retrieveClubContact,
    element: <ClubContact clubId={club.id} />,
  },
  { path: 'statement', title: 'Statement', needs: retrieveClubStatement, element: <Statement club={club} /> },
  {
    path: 'balance',
    title: 'Balance and corrections',
    needs: retrieveClubBalance,
    element: <ClubBalance club={club} />,
  },
  { path: 'link', title: 'Link and poster', needs: retrieveClubLink, element: <ClubLink clubId={club.id} /> },
];

const BackLink = () => <Link to="/clubs">All clubs</Link>;

function OneClub({ club }: { club: ConsoleClub }) {
  const [opened, setOpened] = useState<'edit' | 'retire'>();
  const close = () => setOpened(undefined);
  const mayEdit = useMay(saveClub);
  const mayRetire = useMay(retireClub);
  const may = useMayCall();
  const theirs = partsOf(club).filter(({ needs }) => may(needs, { clubId: club.id }));
  return (
    <PageFrame
      title={club.name}
      lead={
        <>
          <span data-screen-only>
            <BackLink /> ·{' '}
          </span>
          <ClubEndTag {...club} />
        </>
      }
      actions={
        <>
          {mayRetire && (
            <Button look="quiet" isDangerous={club.retiredFrom === null} onClick={() => setOpened('retire')}>
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
      <PartLinks clubId={club.id} parts={theirs} />
      <Routes>
        {theirs.map(({ path, element }) => (
          <Route key={path} path={path} element={element} />
        ))}
        <Route path="*" element={<Notice>There is no such part of this page, or you may not see it.</Notice>} />
      </Routes>
      {opened === 'edit' && <ClubDialog club={club} onClose={close} />}
      {opened === 'retire' && <RetireDialog club={club} onClose={close} />}
    </PageFrame>
  );
}

/** One row of links, scrolled on a phone, where the present part is brought into sight. */
function PartLinks({ clubId, parts }: { clubId: string; parts: Part[] }) {
  const row = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  useEffect(() => {
    const present = row.current?.querySelector<HTMLElement>(`[href$="${pathname}"]`);
    if (row.current && present) row.current.scrollLeft = present.offsetLeft - 48;
  }, [pathname]);
  return (
    <nav ref={row} aria-label="About this club" className={styles.parts} data-screen-only>
      {parts.map(({ path, title }) => (
        <NavLink key={title} to={`/clubs/${clubId}/${path}`.replace(/\/$/, '')} end>
          {title}
        </NavLink>
      ))}
    </nav>
  );
}

function Details({ club }: { club: ConsoleClub }) {
  const maySeeContact = useMay(retrieveClubContact, { clubId: club.id });
  const maySeeBankDetails = useMay(retrieveBankDetailChange, { clubId: club.id });
  return (
    <>
      <Figures club={club} />
      {maySeeBankDetails && <BankDetails club={club} />}
      <Facts club={club} maySeeContact={maySeeContact} />
    </>
  );
}

type PendingCents = Pick<z.output<typeof retrievePendingPayouts.output>, 'waitingCents' | 'reservedCents'>;

/** Shows a club's money; the amount to be paid is that of its payouts, including today. */
function Figures({ club }: { club: ConsoleClub }) {
  const pending = useAnswer(retrievePendingPayouts, { clubId: club.id });
  return (
    <Section title="Money">
      <Loaded query={pending}>{(waits) => <Pairs className={styles.figures} rows={figuresOf(club, waits)} />}</Loaded>
    </Section>
  );
}

function figuresOf(club: ConsoleClub, { waitingCents, reservedCents }: PendingCents): [string, string][] {
  const { toPay, owes, heldBack } = clubPosition(waitingCents, reservedCents);
  const { collectedUntil: until } = club;
  return [
    [until ? `Raised up to ${shortDay(until)}` : 'Raised in all', formatCents(club.collectedCents)],
    owes > 0 ? ['Owed by the club', formatCents(owes)] : ['To be paid', formatCents(toPay)],
    ['On its way', formatCents(club.inTransitCents)],
    ['Paid', formatCents(club.remittedCents)],
    ...(heldBack > 0 ? [['Held back', formatCents(heldBack)] as [string, string]] : []),
    ['Supporters', supportersInWords(club.supporters)],
  ];
}

const Drawing = ({ folder, name }: { folder: 'logos' | 'pictures'; name: string }) => (
  <img className={styles.drawing} src={`/tenants/${folder}/${name}`} alt={name} height={40} />
);

function Facts({ club, maySeeContact }: { club: ConsoleClub; maySeeContact: boolean }) {
  const facts: [string, ReactNode][] = [
    [
      'Page',
      <a key="page" href={club.address} target="_blank" rel="noreferrer">
        <Dotted name={shownAddress(club.address)} />
      </a>,
    ],
    ['Brand', club.tenant],
    ['Part of', club.parent && <Link to={`/clubs/${club.parent.id}`}>{club.parent.name}</Link>],
    ...(maySeeContact
      ? [['Contact', club.contactEmail && <Dotted key="contact" name={club.contactEmail} />] as [string, ReactNode]]
      : []),
    ['ABN', club.abn && formatAbn(club.abn)],
    ['Suburb', club.suburb],
    ['Sport or cause', club.sport],
    ['Goal', club.goalDollars && wholeDollars(club.goalDollars)],
    ['About', club.about],
    ['Logo', club.logo && <Drawing key="logo" folder="logos" name={club.logo} />],
    ['Picture', club.picture && <Drawing key="picture" folder="pictures" name={club.picture} />],
  ];
  return (
    <Section title="Details">
      <Pairs
        className={styles.facts}
        rows={facts.map(([name, value]) => [
          name,
          value || (
            <span key={name} className={styles.quiet}>
              none
            </span>
          ),
        ])}
      />
    </Section>
  );
}
