import { useLayoutEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router';

/** Opens another page at its top; one that somebody goes back to is put where it was by the browser. */
export function usePageTop(): void {
  const { pathname } = useLocation();
  const isGoneBackTo = useNavigationType() === 'POP';
  const shown = useRef(pathname);
  useLayoutEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    if (!isGoneBackTo) window.scrollTo({ top: 0, behavior: 'instant' });
  }, [pathname, isGoneBackTo]);
}
