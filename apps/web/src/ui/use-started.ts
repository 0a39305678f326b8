import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/** Returns false in server-rendered pages until the script has taken them over. */
export const useStarted = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
