import type { ReactNode } from 'react';
import { Navigate, useNavigationType } from 'react-router';
import { MemberPage } from '#features/tenants/member-page.tsx';
import { ScreenTitle } from '#features/tenants/screen-title.tsx';
import styles from './step-page.module.css';

interface StepPageProps {
  stepper: ReactNode;
  title: string;
  children: ReactNode;
}

/** A page of the onboarding with one thing to do. */
export function StepPage({ stepper, title, children }: StepPageProps) {
  const isOver = useIsBackAtFinished();
  if (stepper !== null && isOver) return <Navigate to="/dashboard" replace />;
  return (
    <MemberPage width="narrow">
      <div className={styles.step}>
        {stepper}
        <div className={styles.content}>
          <ScreenTitle>{title}</ScreenTitle>
          {children}
        </div>
      </div>
    </MemberPage>
  );
}

/** The next step's buttons, at the end of a step. */
export const StepActions = ({ children }: { children: ReactNode }) => <div className={styles.actions}>{children}</div>;

/** This tab's history position at the end of onboarding. */
let finishedAt: number | undefined;

/** Returns the router's history position, 0 for the first screen. */
function position(): number {
  const index: unknown = history.state?.idx;
  return typeof index === 'number' ? index : 0;
}

export const markFinished = (): void => {
  finishedAt = position();
};

/** True where Back leads into an onboarding that is over. */
const useIsBackAtFinished = (): boolean =>
  useNavigationType() === 'POP' && finishedAt !== undefined && position() < finishedAt;
