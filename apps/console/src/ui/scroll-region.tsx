import type { ReactNode } from 'react';

interface ScrollRegionProps {
  name: string;
  className: string | undefined;
  children: ReactNode;
}

/** A part of a page that is scrolled sideways where its table is too wide, by keyboard too. */
export const ScrollRegion = ({ name, className, children }: ScrollRegionProps) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: otherwise the keyboard could not scroll it
  <section className={className} aria-label={name} tabIndex={0}>
    {children}
  </section>
);
