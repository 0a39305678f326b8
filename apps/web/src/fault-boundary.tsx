import { Component, type ReactNode } from 'react';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';

/** What is left when a screen breaks, or its code can no longer be loaded after a new release. */
export class FaultBoundary extends Component<{ children: ReactNode }, { isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override render() {
    if (!this.state.isBroken) return this.props.children;
    return (
      <main style={{ maxWidth: 480, margin: '64px auto', padding: '0 24px' }}>
        <Notice>
          This page could not be shown. Nothing has been changed or charged by it.
          <Button look="secondary" onClick={() => location.reload()}>
            Reload
          </Button>
        </Notice>
      </main>
    );
  }
}
