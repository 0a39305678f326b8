import { useLayoutEffect, useRef } from 'react';
import { useLocation, useNavigationType } from 'react-router';

/** Opens another page at its top; on Back the browser restores the former position. */
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
