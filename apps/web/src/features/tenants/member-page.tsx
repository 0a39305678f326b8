import { type ReactNode, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { MenuIcon } from '#ui/icons.tsx';
import { OpenedPart } from '#ui/opened-part.tsx';
import { useStarted } from '#ui/use-started.ts';
import { usePreload } from '#ui/when-idle.ts';
import { BrandLogo } from './brand-logo.tsx';
import styles from './member-page.module.css';

/** Loads the drawer after the screen, before it is opened. */
const loadMenu = () => import('./side-menu.tsx');
const loadAccount = () => import('#features/identity/account-modal.tsx');

interface MemberPageProps {
  /** Cards in two columns, one reading column, or full width. */
  width?: 'wide' | 'narrow' | 'full';
  children: ReactNode;
}

/** A signed-in supporter's page: white app bar, logo and menu. */
export function MemberPage({ width = 'wide', children }: MemberPageProps) {
  const [menu, setMenu] = useState<'not opened' | 'open' | 'closed' | 'account'>('not opened');
  const close = () => setMenu('closed');
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
      {menu === 'account' && <OpenedPart load={loadAccount} of={{ onClose: close }} onFailed={close} />}
      {menu !== 'not opened' && (
        <OpenedPart
          load={loadMenu}
          of={{ isOpen: menu === 'open', onClose: close, onAccount: () => setMenu('account') }}
          onFailed={() => setMenu('not opened')}
        />
      )}
      <main className={`${styles.main} ${styles[width]}`}>{children}</main>
    </div>
  );
}
