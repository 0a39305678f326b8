import { type ConsoleOperation, type Permitted, refusalOfCall } from '@sparechange/contract/console';
import { useOperator } from './session.ts';

/** Returns a function that says whether the signed-in person may make a call; other calls are not offered. */
export function useMayCall() {
  const { roles, clubs, isByLink } = useOperator();
  const caller: Permitted = { roles, clubIds: clubs.map(({ id }) => id), isByLink };
  return (operation: ConsoleOperation, input: object = {}): boolean => !refusalOfCall(operation, caller, input);
}

/** Returns whether the signed-in person may make one call. */
export const useMay = (operation: ConsoleOperation, input?: object): boolean => useMayCall()(operation, input);
