import type { UserAnswer } from '@sparechange/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { onceMoreIfUnanswered } from '#api/api-error.ts';
import { isGivenUp } from '#api/recent-sign-in.ts';
import { clearNote, showNote } from '#ui/status-line.tsx';
import { useCaller } from './caller.tsx';
import { userQuery } from './user-query.ts';

interface Saving {
  /** The control has words of its own for a failure. */
  hasWords?: boolean;
}

/**
 * Saves one setting of the supporter. The answer is the server's new value and is shown from then on; after a failure
 * the control shows the former value, and the status line says that the change was not saved. If the answer is lost,
 * saving is repeated once, which is harmless. Settings are saved one after the other.
 */
export function useUserSetting<Value>(
  save: (value: Value) => Promise<z.infer<typeof UserAnswer>>,
  { hasWords = false }: Saving = {},
) {
  const client = useQueryClient();
  const { userId } = useCaller();
  return useMutation({
    mutationFn: save,
    scope: { id: 'user settings' },
    retry: onceMoreIfUnanswered, // it may be saved already: saving it again shows that
    onSuccess: async (answer) => {
      clearNote();
      await client.cancelQueries(userQuery(userId)); // one under way may have been answered before this save
      client.setQueryData(userQuery(userId).queryKey, answer.userRecord.document);
    },
    onError: (error) => {
      console.error(error);
      if (!hasWords && !isGivenUp(error)) showNote('Your change was not saved. Please try again.');
      void client.invalidateQueries(userQuery(userId));
    },
  });
}
