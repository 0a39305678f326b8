import { useEffect } from 'react';
import { whenIdle } from './when-idle.ts';

/** Loads the code of a part ahead of the press that opens it, so that it opens at once and without a network. */
export function usePreload(load: () => Promise<unknown>): void {
  // A load that fails is tried again with the press.
  useEffect(() => whenIdle(() => void load().catch((error: unknown) => console.error(error))), [load]);
}
