import { Component, type ReactNode } from 'react';

interface FaultBoundaryProps {
  children: ReactNode;
  /** Shown instead of children that broke, or whose code a release removed; it offers to load the page anew. */
  fault: ReactNode;
}

/** Keeps a broken part from leaving an empty page. */
export class FaultBoundary extends Component<FaultBoundaryProps, { isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override componentDidUpdate() {
    // A part that is loaded on demand cannot be had without a network; with one, the page is loaded anew.
    if (this.state.isBroken && !navigator.onLine) addEventListener('online', () => location.reload(), { once: true });
  }

  override render() {
    return this.state.isBroken ? this.props.fault : this.props.children;
  }
}
