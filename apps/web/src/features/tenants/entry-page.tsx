import type { ReactNode } from 'react';
import { getTenant } from '#tenant/current.ts';
import { Title } from '#ui/title.tsx';
import { BrandLogo, Rings } from './brand-logo.tsx';
import styles from './entry-page.module.css';
import { FallbackBrandNotice } from './fallback-brand-notice.tsx';
import { PageFooter } from './page-footer.tsx';

interface EntryPageProps {
  /** The screen's heading; without one it is the tagline, on the tenant's colour. */
  title?: string;
  children: ReactNode;
}

/** The page of signed-out visitors: the tenant's colour on one side, one thing to do on the other. */
export function EntryPage({ title, children }: EntryPageProps) {
  const { name, biline } = getTenant();
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <BrandLogo />
      </header>
      <section className={styles.panel} aria-label={name}>
        <div className={styles.stage}>
          <Rings className={styles.rings} />
          <div className={styles.banner}>
            {title === undefined ? (
              <Title site={name} className={styles.tagline}>
                {biline.primary}
              </Title>
            ) : (
              <p className={styles.tagline}>{biline.primary}</p>
            )}
          </div>
        </div>
      </section>
      <main className={styles.main}>
        <FallbackBrandNotice />
        {title !== undefined && <Title site={name}>{title}</Title>}
        {children}
      </main>
      <PageFooter />
    </div>
  );
}
