import { type ComponentType, lazy, Suspense, useEffect } from 'react';
import { matchPath, Route, Routes, useLocation } from 'react-router';
import { screenSeen } from '#api/screens-seen.ts';
import { Waiting } from '#ui/waiting.tsx';
import { Login } from './screens/login.tsx';

type Load = () => Promise<{ default: ComponentType }>;

/** The specification's route table. The login screen is there at once, every other one is loaded on demand. */
const screens: { paths: string[]; load: Load }[] = [
  { paths: ['/clubs', '/register', '/clubs/:variable'], load: () => import('./screens/clubs.tsx') },
  { paths: ['/register2'], load: () => import('./screens/register.tsx') },
  { paths: ['/launch-consent'], load: () => import('./screens/launch-consent.tsx') },
  { paths: ['/consented'], load: () => import('./screens/consented.tsx') },
  { paths: ['/roundup-accounts'], load: () => import('./screens/roundup-accounts.tsx') },
  { paths: ['/funding-accounts'], load: () => import('./screens/funding-accounts.tsx') },
  { paths: ['/finished'], load: () => import('./screens/finished.tsx') },
  { paths: ['/dashboard'], load: () => import('./screens/dashboard.tsx') },
  { paths: ['/history'], load: () => import('./screens/history.tsx') },
  { paths: ['/linked-accounts'], load: () => import('./screens/linked-accounts.tsx') },
  { paths: ['/verify'], load: () => import('./screens/verify.tsx') },
  { paths: ['/confirmed'], load: () => import('./screens/confirmed.tsx') },
  { paths: ['/logout'], load: () => import('./screens/logout.tsx') },
  { paths: ['/support'], load: () => import('./screens/support.tsx') },
  { paths: ['/terms'], load: () => import('./screens/terms.tsx') },
  { paths: ['/extend-consent/:email'], load: () => import('./screens/extend-consent.tsx') },
  { paths: ['/expired-consent/:email'], load: () => import('./screens/expired-consent.tsx') },
  { paths: ['/skip-debit/:token'], load: () => import('./screens/skip-debit.tsx') },
  { paths: ['/debit-mails/:token'], load: () => import('./screens/debit-mails.tsx') },
  { paths: ['/__/auth/action'], load: () => import('./screens/reset-password.tsx') },
  { paths: ['/previous-page'], load: () => import('./screens/previous-page.tsx') },
  { paths: ['/:variable'], load: () => import('./screens/landing.tsx') },
  { paths: ['*'], load: () => import('./screens/not-found.tsx') },
];

const loadShell = () => import('./screens/shell.tsx');
const Shell = lazy(loadShell);
const routes = screens.flatMap(({ paths, load }) => {
  const Screen = lazy(load);
  return paths.map((path) => <Route key={path} path={path} element={<Screen />} />);
});

export function AppRoutes() {
  const { pathname } = useLocation();
  useEffect(() => screenSeen(pathname), [pathname]);
  return (
    <Suspense fallback={<Waiting />}>
      <Routes>
        <Route index element={<Login />} />
        <Route element={<Shell />}>{routes}</Route>
      </Routes>
    </Suspense>
  );
}

/** Asks for the code of an address at once and together, instead of when the parts around it have arrived. */
export function preloadScreen(pathname: string): void {
  if (pathname === '/') return;
  const screen = screens.find(({ paths }) => paths.some((path) => matchPath(path, pathname)));
  void Promise.allSettled([loadShell(), screen?.load()]);
}
