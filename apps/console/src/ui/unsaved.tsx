import { Modal, ModalActions } from '@sparechange/web/ui/modal.tsx';
import { useEffect, useRef, useState } from 'react';

/** Returns the link to another page of the console that a click follows in this window. */
function linkOf(event: MouseEvent): HTMLAnchorElement | undefined {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return undefined;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link?.href || link.target || link.hasAttribute('download') || link.origin !== location.origin) return undefined;
  return link.pathname === location.pathname ? undefined : link;
}

/** Returns the place that the router has given an entry of the browser's history. */
const placeIn = (state: unknown): number => Number((state as { idx?: unknown } | null)?.idx ?? 0);

/** Asks before what is typed on a page is lost: by a link, by going back or forward, and by leaving the console. */
export function Unsaved() {
  const [leave, setLeave] = useState<() => void>();
  const isLeaving = useRef(false);
  useEffect(() => {
    const place = placeIn(history.state);
    let isComingBack = false;
    const onClick = (event: MouseEvent) => {
      const link = isLeaving.current ? undefined : linkOf(event);
      if (!link) return;
      event.preventDefault();
      event.stopPropagation();
      setLeave(() => () => link.click()); // with all that it does
    };
    const onPop = (event: PopStateEvent) => {
      const steps = placeIn(event.state) - place;
      if (isLeaving.current || (steps === 0 && !isComingBack)) return;
      event.stopImmediatePropagation(); // the router has not seen it
      if (isComingBack) {
        isComingBack = false;
        return;
      }
      isComingBack = true;
      history.go(-steps);
      setLeave(() => () => history.go(steps));
    };
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    document.addEventListener('click', onClick, true);
    window.addEventListener('popstate', onPop, true);
    window.addEventListener('beforeunload', onUnload);
    return () => {
      document.removeEventListener('click', onClick, true);
      window.removeEventListener('popstate', onPop, true);
      window.removeEventListener('beforeunload', onUnload);
    };
  }, []);
  if (!leave) return null;
  return (
    <Modal title="Leave without saving?" onClose={() => setLeave(undefined)}>
      <p>What you changed here is lost.</p>
      <ModalActions
        onCancel={() => setLeave(undefined)}
        action="Leave"
        onAction={() => {
          isLeaving.current = true;
          setLeave(undefined);
          leave();
        }}
      />
    </Modal>
  );
}
