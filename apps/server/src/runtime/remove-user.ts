import type { RemoveUser } from '#features/supporters/offboarding/close-supporter.ts';
import { removeUserInside } from '#identity/users.ts';
import type { Runtime } from './compose.ts';

/** Returns the function that removes a user of the embedded service; with Firebase the users are Google's. */
export const removeUserOf =
  ({ config }: Pick<Runtime, 'config'>): RemoveUser =>
  async (tx, uid) => {
    if (config.firebase) return 'not ours';
    await removeUserInside(tx, uid);
    return 'removed';
  };
