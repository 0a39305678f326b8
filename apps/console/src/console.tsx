import { followChanges, retrieveBankFileState, retrieveToday, signOut } from '@sparechange/contract/console';
import { Button } from '@sparechange/web/ui/button.tsx';
import { Dialog } from '@sparechange/web/ui/dialog.tsx';
import { LogoutIcon, MenuIcon, SearchIcon } from '@sparechange/web/ui/icons.tsx';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useId, useState } from 'react';
import { Link, Navigate, NavLink, Route, Routes, useLocation } from 'react-router';
import { call } from '#api/call.ts';
import { useLive } from '#api/live.ts';
import { useAnswer } from '#api/use-answer.ts';
import { leave, useOperator } from '#session/session.ts';
import { useMayCall } from '#session/use-may.ts';
import styles from './console.module.css';
import { groups, type Page, pages } from './pages.ts';
import { type Asked, useShortcuts } from './palette/use-shortcuts.ts';
import { Failure } from './ui/failure.tsx';
import { AskBeforeLeaving } from './ui/form.tsx';
import { Loading, PageFrame } from './ui/page.tsx';
import { PageFault } from './ui/page-fault.tsx';
import { usePageTop } from './ui/page-top.ts';
import { Unsaved } from './ui/unsaved.tsx';
import { roleNames } from './words.ts';

const Palette = lazy(() => import('./palette/palette.tsx'));
const KeysHelp = lazy(() => import('./palette/keys-help.tsx'));

/** The console of somebody signed in: navigation on the left, or behind a button on a phone, and the page. */
export default function Console() {
  const operator = useOperator();
  const may = useMayCall();
  useLive(may(followChanges));
  const [isMenuOpen, setMenuOpen] = useState(false);
  const [asked, setAsked] = useState<Asked>();
  useShortcuts(setAsked);
  const { pathname } = useLocation();
  usePageTop();
  const mine = pages.filter(({ needs }) => {
    const [club] = operator.clubs;
    if (needs.clubField === undefined) return may(needs);
    return club && may(needs, { [needs.clubField]: club.id });
  });
  const current = mine.find(({ path }) => pathname === path || pathname.startsWith(`${path}/`));
  useEffect(() => {
    document.title = current ? `${current.title} · Console` : 'Console';
  }, [current]);
  const usesBankFiles = useUsesBankFiles(may(retrieveBankFileState));
  const listed = mine.filter(({ needs }) => needs !== retrieveBankFileState || usesBankFiles);
  const counts = useCounts(may(retrieveToday));
  const menu = <Menu pages={listed} counts={counts} onChosen={() => setMenuOpen(false)} />;
  return (
    <div className={styles.console}>
      <a href="#page" className={styles.skip}>
        Skip to the page
      </a>
      <header className={styles.bar}>
        <Link to="/" className={styles.product}>
          Sparechange <span>console</span>
        </Link>
        <button
          type="button"
          className={styles.searchButton}
          aria-label="Find anything"
          aria-keyshortcuts="Control+K Meta+K"
          title="Find (Ctrl K)"
          onClick={() => setAsked('palette')}
        >
          <SearchIcon size={20} />
        </button>
        <button type="button" className={styles.menuButton} aria-label="Menu" onClick={() => setMenuOpen(true)}>
          <MenuIcon />
        </button>
      </header>
      <aside className={styles.side}>{menu}</aside>
      {isMenuOpen && (
        <Dialog side="right" onClose={() => setMenuOpen(false)} aria-label="Menu">
          {menu}
        </Dialog>
      )}
      <Suspense>
        {asked === 'palette' && <Palette pages={listed} onClose={() => setAsked(undefined)} />}
        {asked === 'keys' && <KeysHelp onClose={() => setAsked(undefined)} />}
      </Suspense>
      <main id="page" className={styles.main} tabIndex={-1}>
        {operator.isByLink && <ByLink hasSignIn={operator.hasSignIn} />}
        <AskBeforeLeaving value={Unsaved}>
          <PageFault key={current?.path} Frame={PageFrame}>
            <Suspense fallback={<Loading />}>
              <Routes>
                {mine.map(({ path, Page }) => (
                  <Route key={path} path={`${path}/*`} element={<Page />} />
                ))}
                <Route path="/" element={<Navigate to={mine[0]?.path ?? '/sign-in'} replace />} />
                <Route path="*" element={<NoPage />} />
              </Routes>
            </Suspense>
          </PageFault>
        </AskBeforeLeaving>
      </main>
    </div>
  );
}

/** Returns whether payments go by bank files here; not until that is known. */
function useUsesBankFiles(mayKnow: boolean): boolean {
  const state = useAnswer(retrieveBankFileState, {}, { enabled: mayKnow, staleTime: Number.POSITIVE_INFINITY });
  return (state.data?.lodging ?? null) !== null;
}

/** Something that waits on a page. */
interface Count {
  path: string;
  count: number;
  words: string;
  tone: 'plain' | 'bad';
}

/** Counts what Today lists; nothing until it is known. */
function useCounts(maySee: boolean): Count[] {
  const { data } = useAnswer(retrieveToday, {}, { enabled: maySee });
  const counts: Count[] = [
    { path: '/today', tone: 'plain', count: data?.approvals ?? 0, words: 'to approve' },
    { path: '/today', tone: 'bad', count: data?.alarms.length ?? 0, words: 'alarms in 7 days' },
  ];
  return counts.filter(({ count }) => count > 0);
}

interface MenuProps {
  pages: Page[];
  counts: Count[];
  onChosen: () => void;
}

function Menu({ pages: mine, counts, onChosen }: MenuProps) {
  const { name, email, roles } = useOperator();
  const out = useMutation({ mutationFn: () => call(signOut, {}), onSuccess: leave });
  return (
    <div className={styles.menu}>
      <nav aria-label="Pages">
        {[...groups, undefined].map((name) => (
          <Group
            key={name ?? 'without a heading'}
            name={name}
            pages={mine.filter(({ group }) => group === name)}
            counts={counts}
            onChosen={onChosen}
          />
        ))}
      </nav>
      <div className={styles.person}>
        <p className={styles.name}>{name}</p>
        <p className={styles.detail}>{email}</p>
        <p className={styles.detail}>{roles.map((role) => roleNames[role]).join(', ')}</p>
        <Button look="quiet" isBusy={out.isPending} onClick={() => out.mutate()} className={styles.out}>
          <LogoutIcon size={18} /> Sign out
        </Button>
        <Failure of={out.error} />
      </div>
    </div>
  );
}

/** Shows the link of the present page where a low screen scrolls the links. */
const scrollIntoSight = (link: HTMLElement | null) => link?.scrollIntoView({ block: 'nearest' });

function Group({ name, pages: grouped, counts, onChosen }: MenuProps & { name: Page['group'] }) {
  const id = useId();
  const { pathname, search } = useLocation();
  const club = search.match(/\bclub=[\w-]+/)?.[0] ?? '';
  if (grouped.length === 0) return null;
  return (
    <>
      {name && (
        <p id={id} className={styles.group}>
          {name}
        </p>
      )}
      <ul className={styles.links} aria-labelledby={name && id}>
        {grouped.map(({ path, title, needs }) => (
          <li key={path}>
            <NavLink
              ref={pathname.startsWith(path) ? scrollIntoSight : null}
              to={{ pathname: path, search: needs.clubField ? club : '' }}
              className={styles.link ?? ''}
              onClick={onChosen}
            >
              {title}
            </NavLink>
            <Counts counts={counts.filter((each) => each.path === path)} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** Counts beside a page's link. */
const Counts = ({ counts }: { counts: Count[] }) =>
  counts.length > 0 && (
    <span className={styles.counts}>
      {counts.map(({ count, words, tone }) => (
        <span key={words} className={styles.count} data-tone={tone} title={`${count} ${words}`}>
          {count}
          <span className={styles.unseen}> {words}</span>
        </span>
      ))}
    </span>
  );

const ByLink = ({ hasSignIn }: { hasSignIn: boolean }) => (
  <p className={styles.byLink}>
    View only<span className={styles.whyViewOnly}>: you signed in by email link</span>.{' '}
    {hasSignIn ? (
      'Use your passkey to make changes.'
    ) : (
      <>
        <Link to="/sign-in">Add a passkey</Link> to make changes.
      </>
    )}
  </p>
);

const NoPage = () => (
  <PageFrame title="We can't find that page">
    <p>
      <Link to="/">Go to your first page</Link>
    </p>
  </PageFrame>
);
