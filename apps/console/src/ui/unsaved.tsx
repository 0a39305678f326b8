import { Modal, ModalActions } from '@sparechange/web/ui/modal.tsx';
import { useEffect, useRef, useState } from 'react';
import { watchers } from './watch-back.ts';

/** Returns the link to another page of the console that a click follows in this window. */
function linkOf(event: MouseEvent): HTMLAnchorElement | undefined {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return undefined;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link?.href || link.target || link.hasAttribute('download') || link.origin !== location.origin) return undefined;
  return link.pathname === location.pathname ? undefined : link;
}

/** Returns the place of the present entry in the history of this window, as the router numbers them. */
function placeInHistory(): number {
  const entry: unknown = history.state; // no schema: signing in loads this file too, and has 150 kB
  return typeof entry === 'object' && entry !== null && 'idx' in entry && typeof entry.idx === 'number' ? entry.idx : 0;
}

/**
 * Asks before typed values are lost by a link, or by the browser's Back and Forward; before the console is left, the
 * browser asks. React Router's own blocker needs its data router, which would make the sign-in page a tenth heavier.
 */
export function Unsaved() {
  const [way, setWay] = useState<{ leave: () => void }>(); // a function alone would be called by the setter
  const isLeaving = useRef(false);
  useEffect(() => {
    const page = location.pathname;
    let place = placeInHistory();
    let isReturning = false;
    const onClick = (event: MouseEvent) => {
      const link = isLeaving.current ? undefined : linkOf(event);
      if (!link) return;
      event.preventDefault();
      event.stopPropagation();
      setWay({ leave: () => link.click() }); // with all that it does
    };
    // The browser has gone there already: it is sent back before the router hears of it.
    const onPop = (event: PopStateEvent) => {
      const steps = placeInHistory() - place;
      if (isReturning && steps === 0) {
        isReturning = false;
        event.stopImmediatePropagation();
        return;
      }
      if (isLeaving.current || location.pathname === page || steps === 0) {
        place += steps;
        return;
      }
      event.stopImmediatePropagation();
      isReturning = true;
      history.go(-steps);
      setWay({ leave: () => history.go(steps) });
    };
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    document.addEventListener('click', onClick, true);
    watchers.push(onPop);
    window.addEventListener('beforeunload', onUnload);
    return () => {
      document.removeEventListener('click', onClick, true);
      watchers.splice(watchers.indexOf(onPop), 1);
      window.removeEventListener('beforeunload', onUnload);
    };
  }, []);
  if (!way) return null;
  return (
    <Modal title="Leave without saving?" onClose={() => setWay(undefined)}>
      <p>What you changed here is lost.</p>
      <ModalActions
        onCancel={() => setWay(undefined)}
        action="Leave"
        isDangerous
        onAction={() => {
          isLeaving.current = true;
          setWay(undefined);
          way.leave();
        }}
      />
    </Modal>
  );
}
