import type { Landing } from '@sparechange/contract';
import { clubPlace } from '@sparechange/domain/club-place';
import type { ReactNode } from 'react';
import { BankTrust } from '#features/consent/bank-trust.tsx';
import { BrandLogo, Rings } from '#features/tenants/brand-logo.tsx';
import { FallbackBrandNotice } from '#features/tenants/fallback-brand-notice.tsx';
import { PageFooter } from '#features/tenants/page-footer.tsx';
import { registrationStart } from '#features/tenants/registration-start.ts';
import { getStart, getTenant } from '#tenant/current.ts';
import { Title } from '#ui/title.tsx';
import { ClubMark } from './club-mark.tsx';
import { HowItWorks } from './how-it-works.tsx';
import { JoinCard } from './join-card.tsx';
import styles from './landing-page.module.css';
import { Backers, BankData, Figures } from './landing-sections.tsx';
import { StartLink } from './start-link.tsx';

interface LandingPageProps {
  landing: Landing;
  /** The club's address; without one it is the brand's page. */
  slug?: string | undefined;
  /** Shown above everything else on the page. */
  notice?: ReactNode;
  /** The login form. */
  children: ReactNode;
}

/**
 * The page of a club or a brand, with the login form beside it, on a phone below it. A club's card comes first there,
 * and the form after it.
 */
export function LandingPage({ landing: { page, clubId, hasEnded }, slug, notice, children }: LandingPageProps) {
  const tenant = getTenant();
  const place = clubPlace(page);
  const { primary: tagline, secondary } = tenant.biline;
  const registration = registrationStart(getStart());
  const isOfOneClub = slug !== undefined || registration.path === '/register2';
  const receiver = isOfOneClub ? page.name : 'the club you choose';
  const ofClub = clubId !== null && slug !== undefined ? { clubId, slug } : undefined;
  const backers = <Backers name={receiver} abn={isOfOneClub ? page.abn : null} />;
  return (
    <div className={ofClub ? `${styles.page} ${styles.ofClub}` : styles.page}>
      <header className={styles.header}>
        <BrandLogo />
        <a className={styles.toLogin} href="#login">
          Login
        </a>
      </header>
      <div className={styles.top}>
        <section className={styles.hero} aria-label={page.name}>
          {!page.pictureURL && <Rings className={styles.rings} />}
          <div className={styles.lead}>
            <FallbackBrandNotice />
            {notice}
            {slug && <ClubMark logoURL={page.logoURL} name={page.name} size={72} />}
            {place && <p className={styles.place}>{place}</p>}
            <Title site={tenant.name} className={slug ? styles.name : styles.tagline}>
              {slug ? page.name : tagline}
            </Title>
            {slug && <p className={styles.saying}>{tagline}</p>}
            {secondary && <p className={styles.saying}>{secondary}</p>}
            <p className={styles.about}>{page.about ?? aboutAny(receiver)}</p>
            {!hasEnded && !ofClub && <StartLink start={registration} />}
          </div>
        </section>
        {!hasEnded && ofClub && <JoinCard {...ofClub} figures={page.figures} />}
      </div>
      <div className={styles.story}>
        {page.pictureURL && <img className={styles.picture} src={page.pictureURL} alt="" width={640} height={360} />}
        {!ofClub && <Figures figures={page.figures} />}
        {!hasEnded && (
          <>
            <HowItWorks name={receiver} />
            <BankData />
          </>
        )}
        {ofClub && backers}
      </div>
      <div className={styles.side}>
        <main id="login" className={styles.login} tabIndex={-1}>
          {ofClub && <h2>Already a supporter?</h2>}
          {children}
        </main>
        <div className={styles.trust}>
          {!hasEnded && <BankTrust />}
          {!ofClub && backers}
        </div>
      </div>
      <PageFooter />
    </div>
  );
}

const aboutAny = (name: string): string =>
  `Round up what you buy anyway, and give the spare change to ${name}. It adds up, a few cents at a time.`;
