import { lazy, Suspense } from 'react';
import type { OutlookProps } from './outlook.tsx';
import styles from './outlook-space.module.css';

const Outlook = lazy(() => import('./outlook.tsx'));

/** Where the outlook stands: as tall as it will be before it has arrived, so that nothing moves. */
export const OutlookSpace = (props: OutlookProps) => (
  <div className={`${styles.space} ${props.of === 'limit' && props.limit > 0 ? styles.withMeter : ''}`}>
    <Suspense>
      <Outlook {...props} />
    </Suspense>
  </div>
);
