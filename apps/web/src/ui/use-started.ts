import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/** Returns false in what the server writes and until the script has taken it over. */
export const useStarted = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
