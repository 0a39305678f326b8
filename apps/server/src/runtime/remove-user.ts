import type { RemoveUser } from '#features/offboarding/close-supporter.ts';
import { removeUserInside } from '#identity/users.ts';
import type { Runtime } from './compose.ts';

export const removeUserOf =
  ({ config }: Pick<Runtime, 'config'>): RemoveUser =>
  async (tx, uid) => {
    if (config.firebase) return 'not ours';
    await removeUserInside(tx, uid);
    return 'removed';
  };
