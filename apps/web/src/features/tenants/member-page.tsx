import { type ReactNode, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { MenuIcon } from '#ui/icons.tsx';
import { BrandLogo } from './brand-logo.tsx';
import styles from './member-page.module.css';
import { SideMenu } from './side-menu.tsx';

interface MemberPageProps {
  /** Cards over two columns, one column of reading, or an embedded page from edge to edge. */
  width?: 'wide' | 'narrow' | 'full';
  children: ReactNode;
}

/** The page of a signed-in supporter: a white app bar with the logo and the menu. */
export function MemberPage({ width = 'wide', children }: MemberPageProps) {
  const [isMenuOpen, setMenuOpen] = useState(false);
  return (
    <div className={styles.page}>
      <header className={styles.bar}>
        <div className={styles.barInner}>
          <BrandLogo />
          <Button look="quiet" className={styles.menu} onClick={() => setMenuOpen(true)} aria-haspopup="dialog">
            <MenuIcon />
            <span className={styles.menuWord}>Menu</span>
          </Button>
        </div>
      </header>
      <SideMenu isOpen={isMenuOpen} onClose={() => setMenuOpen(false)} />
      <main className={`${styles.main} ${styles[width]}`}>{children}</main>
    </div>
  );
}
