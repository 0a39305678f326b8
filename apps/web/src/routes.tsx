import { type ComponentType, createElement, lazy, Suspense, useEffect } from 'react';
import { matchPath, Route, Routes, useLocation } from 'react-router';
import { screenSeen } from '#api/screens-seen.ts';
import { WaitingPage } from '#ui/waiting.tsx';
import { isFrugal, whenIdle } from '#ui/when-idle.ts';
import { Landing } from './screens/landing.tsx';
import { Login } from './screens/login.tsx';

type Load = () => Promise<{ default: ComponentType }>;

interface Screen {
  paths: string[];
  /** Loads the screen on demand; absent for screens in the first bundle. */
  load?: Load;
  /** Screens likely to follow, fetched when the browser is idle. */
  next?: string[];
}

/** The login screen, also where people guess its address. */
export const loginPaths = ['/', '/login', '/signin'];
const fromLogin = ['/dashboard', '/clubs'];

/** The specification's route table. The landing screens are in the first bundle; all others load on demand. */
const screens: Screen[] = [
  {
    paths: ['/clubs', '/register', '/clubs/:variable'],
    load: () => import('./screens/clubs.tsx'),
    next: ['/register2'],
  },
  { paths: ['/register2'], load: () => import('./screens/register.tsx'), next: ['/launch-consent'] },
  {
    paths: ['/launch-consent'],
    load: () => import('./screens/launch-consent.tsx'),
    next: ['/consented', '/roundup-accounts'],
  },
  { paths: ['/consented'], load: () => import('./screens/consented.tsx'), next: ['/roundup-accounts'] },
  { paths: ['/roundup-accounts'], load: () => import('./screens/roundup-accounts.tsx'), next: ['/funding-accounts'] },
  { paths: ['/funding-accounts'], load: () => import('./screens/funding-accounts.tsx'), next: ['/finished'] },
  { paths: ['/finished'], load: () => import('./screens/finished.tsx'), next: ['/dashboard'] },
  { paths: ['/dashboard'], load: () => import('./screens/dashboard.tsx'), next: ['/history', '/linked-accounts'] },
  { paths: ['/history'], load: () => import('./screens/history.tsx'), next: ['/dashboard'] },
  { paths: ['/linked-accounts'], load: () => import('./screens/linked-accounts.tsx'), next: ['/dashboard'] },
  { paths: ['/verify'], load: () => import('./screens/verify.tsx'), next: ['/consented', '/confirmed'] },
  { paths: ['/confirmed'], load: () => import('./screens/confirmed.tsx'), next: ['/roundup-accounts'] },
  { paths: ['/confirm-email/:email'], load: () => import('./screens/confirm-email.tsx') },
  { paths: ['/hand-off/confirm'], load: () => import('./screens/confirm-handoff.tsx') },
  { paths: ['/logout'], load: () => import('./screens/logout.tsx') },
  { paths: ['/support', '/help', '/about'], load: () => import('./screens/support.tsx') },
  { paths: ['/terms'], load: () => import('./screens/terms.tsx') },
  { paths: ['/privacy'], load: () => import('./screens/privacy.tsx') },
  { paths: ['/extend-consent/:email'], load: () => import('./screens/extend-consent.tsx') },
  { paths: ['/expired-consent/:email'], load: () => import('./screens/expired-consent.tsx') },
  { paths: ['/skip-debit/:token'], load: () => import('./screens/skip-debit.tsx') },
  { paths: ['/debit-mails/:token'], load: () => import('./screens/debit-mails.tsx') },
  { paths: ['/advice-mails/:token'], load: () => import('./screens/advice-mails.tsx') },
  { paths: ['/join'], load: () => import('./screens/join.tsx') },
  { paths: ['/join/:token'], load: () => import('./screens/confirm-join.tsx') },
  { paths: ['/__/auth/action'], load: () => import('./screens/action-code.tsx') },
  { paths: ['/previous-page'], load: () => import('./screens/previous-page.tsx') },
  { paths: ['/:variable'], next: fromLogin },
  { paths: ['*'], load: () => import('./screens/not-found.tsx') },
];

const loadShell = () => import('./screens/shell.tsx');
const LazyShell = lazy(loadShell);
const routes = screens.flatMap(({ paths, load }) => {
  if (!load) return [];
  const Screen = lazy(load);
  return paths.map((path) => ({ path, Screen }));
});

/** Screens by path whose code is loaded already, as on the server; others are loaded on demand. */
export interface LoadedScreens {
  Shell: ComponentType;
  screens: Readonly<Record<string, ComponentType>>;
}

export function AppRoutes({ loaded }: { loaded?: LoadedScreens | undefined }) {
  const Shell = loaded?.Shell ?? LazyShell;
  const { pathname } = useLocation();
  useEffect(() => {
    screenSeen(pathname);
    return isFrugal() ? undefined : whenIdle(() => preloadNext(pathname));
  }, [pathname]);
  return (
    <Routes>
      {loginPaths.map((path) => (
        <Route key={path} path={path} element={<Login />} />
      ))}
      <Route path="/:variable" element={<Landing />} />
      <Route
        element={
          <Suspense fallback={<WaitingPage />}>
            <Shell />
          </Suspense>
        }
      >
        {routes.map(({ path, Screen }) => (
          <Route key={path} path={path} element={createElement(loaded?.screens[path] ?? Screen)} />
        ))}
      </Route>
    </Routes>
  );
}

const screenAt = (pathname: string) => screens.find(({ paths }) => paths.some((path) => matchPath(path, pathname)));

/** Requests all code of an address immediately and in parallel, instead of after the parts around it. */
export function preloadScreen(pathname: string): void {
  const load = loginPaths.includes(pathname) ? undefined : screenAt(pathname)?.load;
  if (load) void Promise.allSettled([loadShell(), load()]);
}

function preloadNext(pathname: string): void {
  const next = loginPaths.includes(pathname) ? fromLogin : screenAt(pathname)?.next;
  next?.forEach(preloadScreen);
}
