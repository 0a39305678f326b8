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
 * Saves one setting of the supporter. The answer says what the server now holds and is shown from then on; after a
 * failure the control shows what the server held before, and the status line says that the change was not saved.
 * Where the answer is lost it is saved once more, which changes nothing. Settings are saved one after the other.
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
    retry: onceMoreIfUnanswered, // it may be saved: then saving it again says so
    onSuccess: async (answer) => {
      clearNote();
      await client.cancelQueries(userQuery(userId)); // one under way may have been read before this was saved
      client.setQueryData(userQuery(userId).queryKey, answer.userRecord.document);
    },
    onError: (error) => {
      console.error(error);
      if (!hasWords && !isGivenUp(error)) showNote('Your change was not saved. Please try again.');
      void client.invalidateQueries(userQuery(userId));
    },
  });
}
