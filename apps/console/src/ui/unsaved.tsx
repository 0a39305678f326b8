import { Modal, ModalActions } from '@sparechange/web/ui/modal.tsx';
import { useEffect, useRef, useState } from 'react';

/** Returns the link to another page of the console that a click follows in this window. */
function linkOf(event: MouseEvent): HTMLAnchorElement | undefined {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return undefined;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (!link?.href || link.target || link.hasAttribute('download') || link.origin !== location.origin) return undefined;
  return link.pathname === location.pathname ? undefined : link;
}

/** Asks before what is typed on a page is lost by a link; before the console is left, the browser does. */
export function Unsaved() {
  const [link, setLink] = useState<HTMLAnchorElement>();
  const isLeaving = useRef(false);
  useEffect(() => {
    const onClick = (event: MouseEvent) => {
      const followed = isLeaving.current ? undefined : linkOf(event);
      if (!followed) return;
      event.preventDefault();
      event.stopPropagation();
      setLink(followed);
    };
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    document.addEventListener('click', onClick, true);
    window.addEventListener('beforeunload', onUnload);
    return () => {
      document.removeEventListener('click', onClick, true);
      window.removeEventListener('beforeunload', onUnload);
    };
  }, []);
  if (!link) return null;
  return (
    <Modal title="Leave without saving?" onClose={() => setLink(undefined)}>
      <p>What you changed here is lost.</p>
      <ModalActions
        onCancel={() => setLink(undefined)}
        action="Leave"
        onAction={() => {
          isLeaving.current = true;
          setLink(undefined);
          link.click(); // with all that it does
        }}
      />
    </Modal>
  );
}
