import { Component, type ReactNode } from 'react';

interface FaultBoundaryProps {
  children: ReactNode;
  /** Shown in place of children that threw, or whose code a release removed; it offers to reload the page. */
  fault: ReactNode;
}

/** Contains a broken part, so that it does not leave an empty page. */
export class FaultBoundary extends Component<FaultBoundaryProps, { isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override componentDidUpdate() {
    // A part loaded on demand cannot load offline; once the network is back, the page reloads.
    if (this.state.isBroken && !navigator.onLine) addEventListener('online', () => location.reload(), { once: true });
  }

  override render() {
    return this.state.isBroken ? this.props.fault : this.props.children;
  }
}
