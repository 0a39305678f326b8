import { lazy, Suspense } from 'react';
import { FaultBoundary } from '#ui/fault-boundary.tsx';
import type { ProjectionProps } from './projection.tsx';
import styles from './projection-space.module.css';

const Projection = lazy(() => import('./projection.tsx'));

/** Reserves the projection's height before it has arrived, so that nothing moves. */
export const ProjectionSpace = (props: ProjectionProps) => (
  <div className={`${styles.space} ${props.of === 'step' ? '' : props.limit > 0 ? styles.withMeter : styles.off}`}>
    <FaultBoundary fault={null}>
      <Suspense>
        <Projection {...props} />
      </Suspense>
    </FaultBoundary>
  </div>
);
