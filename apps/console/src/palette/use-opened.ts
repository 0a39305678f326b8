import { useCallback, useState } from 'react';
import { useSearchParams } from 'react-router';

const parameter = 'do';

/** Returns the address of a page with one of its dialogs open. */
export const pathToDialog = (page: string, dialog: string): string => `${page}?${parameter}=${dialog}`;

/**
 * Keeps which dialog of a page is open in its address, so that a link opens it. Only these names are known; closing takes
 * the name out of the address.
 */
export function useOpened<Name extends string>(...names: Name[]) {
  const [params, setParams] = useSearchParams();
  const [page] = useState(() => window.location.pathname);
  const opened = names.find((name) => name === params.get(parameter));
  const open = useCallback(
    (name?: Name) => {
      // A dialog that closes once another page is on its way leaves that one alone.
      if (window.location.pathname !== page) return;
      setParams(
        (now) => {
          const next = new URLSearchParams(now);
          if (name) next.set(parameter, name);
          else next.delete(parameter);
          return next;
        },
        { replace: true },
      );
    },
    [page, setParams],
  );
  return [opened, open] as const;
}
