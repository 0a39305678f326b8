import { useEffect, useRef } from 'react';
import styles from './title.module.css';

let isFirstScreen = true;

interface TitleProps {
  children: string;
  /** The title of the window, after the heading. */
  site: string;
  className?: string | undefined;
}

/**
 * The one heading of a screen. The span is keyed by its text, so a changed title replaces it without a layout shift.
 * When a screen replaces another, the page starts at its top and the heading takes the focus, so that a screen reader
 * announces it; on the first screen of a visit the focus stays where the browser put it.
 */
export function Title({ children, site, className }: TitleProps) {
  const heading = useRef<HTMLHeadingElement>(null);

  useEffect(() => {
    document.title = children === site ? site : `${children} · ${site}`;
  }, [children, site]);

  useEffect(() => {
    if (!isFirstScreen) {
      window.scrollTo(0, 0);
      heading.current?.focus({ preventScroll: true });
    }
    isFirstScreen = false;
  }, []);

  return (
    <h1 ref={heading} tabIndex={-1} className={className ?? styles.title}>
      <span key={children}>{children}</span>
    </h1>
  );
}
