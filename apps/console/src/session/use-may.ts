import { type ConsoleOperation, refusalOfCall } from '@sparechange/contract/console';
import { permitted, useOperator } from './session.ts';

/** Returns whether the signed-in person may make a call; what they may not is not offered. */
export function useMay(operation: ConsoleOperation, input: object = {}): boolean {
  return !refusalOfCall(operation, permitted(useOperator()), input);
}
