import { lazy, Suspense, useState } from 'react';
import { useLocation } from 'react-router';
import { readStored } from '#api/stored.ts';
import { RequireSession } from '#features/identity/caller.tsx';
import type { ReturnTo } from '#features/identity/return-to.ts';
import { FaultBoundary } from '#ui/fault-boundary.tsx';
import { Notice } from '#ui/notice.tsx';
import { PartFault } from '#ui/opened-part.tsx';
import { TextLink } from '#ui/text-link.tsx';
import { useStarted } from '#ui/use-started.ts';
import { StepsWaiting } from './steps-waiting.tsx';
import styles from './your-data.module.css';

const OffboardingActions = lazy(() => import('./offboarding-actions.tsx'));

/** The section #your-data above the terms. The script adds its steps, and opens it for its own address. */
export function YourData() {
  const { hash } = useLocation();
  const isStarted = useStarted();
  return (
    <details
      className={styles.section}
      id="your-data"
      open={isStarted && hash === '#your-data'}
      data-written={!isStarted}
    >
      <summary className={styles.summary}>
        <h2>Your data</h2>
        <span className={styles.hint}>Pause, stop debits, download my data or close</span>
      </summary>
      {isStarted && <Steps />}
    </details>
  );
}

function Steps() {
  const [isClosed, setClosed] = useState(false);
  const [mayBeSignedIn] = useState(() => readStored('userId') !== undefined);
  return (
    <div className={`${styles.content} ${mayBeSignedIn ? styles.withSteps : ''}`}>
      {isClosed ? (
        <Notice kind="information">
          Your account is closed. We have emailed you a confirmation. Thank you for all you have given.
        </Notice>
      ) : (
        <RequireSession signedOut={<SignInFirst />} waiting={<StepsWaiting />}>
          <FaultBoundary fault={<PartFault />}>
            <Suspense fallback={<StepsWaiting />}>
              <OffboardingActions onClosed={() => setClosed(true)} />
            </Suspense>
          </FaultBoundary>
        </RequireSession>
      )}
    </div>
  );
}

function SignInFirst() {
  const state: ReturnTo = { returnTo: '/terms#your-data', userId: null };
  return (
    <div>
      <p>Sign in to pause or stop, to download everything we hold about you, or to close your account.</p>
      <TextLink to="/" state={state}>
        Sign in
      </TextLink>
    </div>
  );
}
