import { type UserRecord, undoDonation } from '@sparechange/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { call } from '#api/call.ts';
import { useCaller } from '#features/identity/caller.tsx';
import { userQuery } from '#features/identity/user-query.ts';
import { Money } from '#ui/money.tsx';
import { Help } from '#ui/notice.tsx';
import { showNote } from '#ui/status-line.tsx';
import { LinkButton } from '#ui/text-link.tsx';

type Gift = NonNullable<UserRecord['undoableDonations']>[number];

const longestMs = 600_000;
const time = new Intl.DateTimeFormat('en-AU', { hour: 'numeric', minute: '2-digit' });

/** Says until when a donation can be undone, and undoes it. It is asked for again when that time has come. */
export function UndoableDonation({ gift: { requestId, amountCents, until } }: { gift: Gift }) {
  const { cdrid, userId } = useCaller();
  const client = useQueryClient();
  const undo = useMutation({
    mutationFn: () => call(undoDonation, { cdrid, requestId }),
    onSuccess: () => showNote('Your donation is undone. Nothing is taken.'),
    onError: () => showNote('Your donation could not be undone. It may be on its way already.'),
    onSettled: () => client.invalidateQueries(userQuery(userId)),
  });
  useEffect(() => {
    const ms = Math.min(Math.max(Date.parse(until) - Date.now(), 1_000), longestMs);
    const timer = setTimeout(() => void client.invalidateQueries(userQuery(userId)), ms);
    return () => clearTimeout(timer);
  }, [client, until, userId]);
  return (
    <Help>
      <Money amountCents={amountCents} /> is taken after {time.format(new Date(until))}.{' '}
      <LinkButton onClick={() => undo.isPending || undo.mutate()}>Undo</LinkButton>
    </Help>
  );
}
