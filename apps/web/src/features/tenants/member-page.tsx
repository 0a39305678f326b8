import { lazy, type ReactNode, Suspense, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { MenuIcon } from '#ui/icons.tsx';
import { usePreload } from '#ui/use-preload.ts';
import { BrandLogo } from './brand-logo.tsx';
import styles from './member-page.module.css';

/** The drawer comes after the screen and before anybody has pressed. */
const loadMenu = () => import('./side-menu.tsx');
const SideMenu = lazy(loadMenu);
const AccountModal = lazy(() => import('#features/identity/account-modal.tsx'));

interface MemberPageProps {
  /** Cards over two columns, one column of reading, or an embedded page from edge to edge. */
  width?: 'wide' | 'narrow' | 'full';
  children: ReactNode;
}

/** The page of a signed-in supporter: a white app bar with the logo and the menu. */
export function MemberPage({ width = 'wide', children }: MemberPageProps) {
  const [menu, setMenu] = useState<'not opened' | 'open' | 'closed' | 'account'>('not opened');

  usePreload(loadMenu);

  return (
    <div className={styles.page}>
      <header className={styles.bar}>
        <div className={styles.barInner}>
          <BrandLogo />
          <Button look="quiet" className={styles.menu} onClick={() => setMenu('open')} aria-haspopup="dialog">
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
