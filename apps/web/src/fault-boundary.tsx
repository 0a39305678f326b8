import { Component, type ReactNode } from 'react';
import { Button } from '#ui/button.tsx';
import { Centred } from '#ui/waiting.tsx';

/** Shown for broken screens and code that a release removed. */
export class FaultBoundary extends Component<{ children: ReactNode }, { isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override componentDidUpdate() {
    // A part that is loaded on demand cannot be had without a network; with one, the page is loaded anew.
    if (this.state.isBroken && !navigator.onLine) addEventListener('online', () => location.reload(), { once: true });
  }

  override render() {
    if (!this.state.isBroken) return this.props.children;
    return (
      <Centred>
        <div role="alert">
          <h1>This page could not be shown</h1>
          <p>Nothing has been changed or charged by it.</p>
          {!navigator.onLine && <p>It is loaded as soon as you are online again.</p>}
        </div>
        <Button onClick={() => location.reload()}>Reload</Button>
        <a href="/">Go to the start</a>
      </Centred>
    );
  }
}
