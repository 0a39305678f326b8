import type { ReactNode } from 'react';
import { getStart, getTenant } from '#tenant/current.ts';
import { privacyPage, supportPage, termsPage } from '#tenant/pages.ts';
import { Notice } from '#ui/notice.tsx';
import { BrandLogo, Rings } from './brand-logo.tsx';
import styles from './entry-page.module.css';

interface EntryPageProps {
  /** Words on the tenant's colour: the tagline or login heading. */
  banner: ReactNode;
  children: ReactNode;
}

/** The page of everybody who is not signed in: the tenant's colour on one side, one thing to do on the other. */
export function EntryPage({ banner, children }: EntryPageProps) {
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <BrandLogo />
      </header>
      <section className={styles.panel} aria-label={getTenant().name}>
        <div className={styles.stage}>
          <Rings className={styles.rings} />
          <div className={styles.banner}>{banner}</div>
        </div>
      </section>
      <main className={styles.main}>
        {getStart().isStandIn && (
          <Notice kind="information">
            Your organisation's page could not be loaded, so you see our own. Everything works as usual.
          </Notice>
        )}
        {children}
      </main>
      <PageFooter />
    </div>
  );
}

export const Tagline = ({ children }: { children: string }) => <p className={styles.tagline}>{children}</p>;
export const taglineClass = styles.tagline;

function PageFooter() {
  const tenant = getTenant();
  return (
    <footer className={styles.footer}>
      <a href={supportPage(tenant)}>Help</a>
      <a href={termsPage(tenant)}>Terms</a>
      <a href={privacyPage}>Privacy</a>
    </footer>
  );
}
