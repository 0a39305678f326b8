import { lazy, Suspense } from 'react';
import styles from './outlook-space.module.css';
import type { OutlookProps } from './projection.tsx';

const Outlook = lazy(() => import('./projection.tsx'));

/** Where the outlook stands: as tall as it will be before it has arrived, so that nothing moves. */
export const OutlookSpace = (props: OutlookProps) => (
  <div className={`${styles.space} ${props.of === 'limit' && props.limit > 0 ? styles.withMeter : ''}`}>
    <Suspense>
      <Outlook {...props} />
    </Suspense>
  </div>
);
