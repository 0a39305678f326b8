import { lazy, type ReactNode, Suspense, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { MenuIcon } from '#ui/icons.tsx';
import { useStarted } from '#ui/use-started.ts';
import { usePreload } from '#ui/when-idle.ts';
import { BrandLogo } from './brand-logo.tsx';
import styles from './member-page.module.css';

/** Loads the drawer after the screen, before it is opened. */
const loadMenu = () => import('./side-menu.tsx');
const SideMenu = lazy(loadMenu);
const AccountModal = lazy(() => import('#features/identity/account-modal.tsx'));

interface MemberPageProps {
  /** Cards in two columns, one reading column, or full width. */
  width?: 'wide' | 'narrow' | 'full';
  children: ReactNode;
}

/** A signed-in supporter's page: white app bar, logo and menu. */
export function MemberPage({ width = 'wide', children }: MemberPageProps) {
  const [menu, setMenu] = useState<'not opened' | 'open' | 'closed' | 'account'>('not opened');
  const isStarted = useStarted(); // a press before that would be lost

  usePreload(loadMenu);

  return (
    <div className={styles.page}>
      <header className={styles.bar}>
        <div className={styles.barInner}>
          <BrandLogo />
          <Button
            look="quiet"
            className={styles.menu}
            disabled={!isStarted}
            onClick={() => setMenu('open')}
            aria-haspopup="dialog"
          >
            <MenuIcon />
            <span className={styles.menuWord}>Menu</span>
          </Button>
        </div>
      </header>
      {menu === 'account' && (
        <Suspense>
          <AccountModal onClose={() => setMenu('closed')} />
        </Suspense>
      )}
      {menu !== 'not opened' && (
        <Suspense>
          <SideMenu isOpen={menu === 'open'} onClose={() => setMenu('closed')} onAccount={() => setMenu('account')} />
        </Suspense>
      )}
      <main className={`${styles.main} ${styles[width]}`}>{children}</main>
    </div>
  );
}
