import { Button } from '@sparechange/web/ui/button.tsx';
import { FaultBoundary } from '@sparechange/web/ui/fault-boundary.tsx';
import type { ComponentType, ReactNode } from 'react';

interface PageFaultProps {
  /** Frames the message in place of the page. */
  Frame: ComponentType<{ title: string; children: ReactNode }>;
  children: ReactNode;
}

/** Says that a page could not be shown, and offers to reload it. */
export const PageFault = ({ Frame, children }: PageFaultProps) => (
  <FaultBoundary
    fault={
      <Frame title="This page could not be shown">
        <p role="alert">
          {navigator.onLine
            ? 'Nothing has been changed by it. A newer version of the console may be there.'
            : 'You are offline. It will load as soon as you are back online.'}
        </p>
        <p>
          <Button onClick={() => location.reload()}>Reload</Button>
        </p>
      </Frame>
    }
  >
    {children}
  </FaultBoundary>
);
