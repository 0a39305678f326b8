import type { UserAnswer } from '@sparechange/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { useCaller } from './caller.tsx';
import { userKey } from './user-query.ts';

/**
 * Saves one setting of the supporter. The answer says what the server now holds and is shown from then on; after a
 * failure the control shows what the server held before (design 7.2). Settings are saved one after the other.
 */
export function useUserSetting<Value>(save: (value: Value) => Promise<z.infer<typeof UserAnswer>>) {
  const client = useQueryClient();
  const { userId } = useCaller();
  return useMutation({
    mutationFn: save,
    scope: { id: 'user settings' },
    onSuccess: (answer) => client.setQueryData(userKey(userId), answer.userRecord.document),
    onError: (error) => {
      console.error(error);
      void client.invalidateQueries({ queryKey: userKey(userId) });
    },
  });
}
