import type { NextDebit } from '@sparechange/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useCaller } from '#features/identity/caller.tsx';
import { userKey } from '#features/identity/user-query.ts';
import { nextDebitKey } from './next-debit-query.ts';

/**
 * Saves a choice about the next debit. The answer says how it stands now and is shown from then on; after a failure the
 * server is asked again. The dashboard's line follows.
 */
export function useNextDebitChange<Value>(save: (value: Value) => Promise<{ nextDebit: NextDebit | null }>) {
  const client = useQueryClient();
  const { userId, cdrid } = useCaller();
  return useMutation({
    mutationFn: save,
    scope: { id: 'next debit' },
    onSuccess: ({ nextDebit }) => client.setQueryData(nextDebitKey(cdrid), nextDebit),
    onError: (error) => {
      console.error(error);
      void client.invalidateQueries({ queryKey: nextDebitKey(cdrid) });
    },
    onSettled: () => client.invalidateQueries({ queryKey: userKey(userId) }),
  });
}
