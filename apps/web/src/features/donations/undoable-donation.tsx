import { type UserRecord, undoDonation } from '@sparechange/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { isUnanswered, onceMoreIfUnanswered } from '#api/api-error.ts';
import { call } from '#api/call.ts';
import { useCaller } from '#features/identity/caller.tsx';
import { userQuery } from '#features/identity/user-query.ts';
import { messages } from '#messages.ts';
import { Money } from '#ui/money.tsx';
import { Help } from '#ui/notice.tsx';
import { showNote } from '#ui/status-line.tsx';
import { LinkButton } from '#ui/text-link.tsx';

type Gift = NonNullable<UserRecord['undoableDonations']>[number];

const maxWaitMs = 600_000;

/**
 * Offers to undo a donation until it is taken. The donation is refetched at that time, and then each minute.
 */
export function UndoableDonation({ gift: { requestId, amountCents, until } }: { gift: Gift }) {
  const { cdrid, userId } = useCaller();
  const client = useQueryClient();
  const undo = useMutation({
    mutationFn: () => call(undoDonation, { cdrid, requestId }),
    onSuccess: () => showNote('Your donation is undone. Nothing is taken.'),
    retry: onceMoreIfUnanswered, // undoing again changes nothing
    onError: (error) =>
      showNote(
        isUnanswered(error)
          ? messages.somethingWrong
          : 'Your donation could not be undone. It may be on its way already.',
      ),
    onSettled: () => client.invalidateQueries(userQuery(userId)),
  });
  const [now, setNow] = useState(Date.now);
  const leftMs = Date.parse(until) - now;
  useEffect(() => {
    const ms = leftMs > 0 ? Math.min(Math.max(leftMs, 1_000), maxWaitMs) : 60_000;
    const timer = setTimeout(() => {
      setNow(Date.now());
      void client.invalidateQueries(userQuery(userId));
    }, ms);
    return () => clearTimeout(timer);
  }, [client, leftMs, userId]);
  return (
    <Help>
      You can still undo your <Money amountCents={amountCents} /> gift.{' '}
      <LinkButton onClick={() => undo.isPending || undo.mutate()}>Undo</LinkButton>
    </Help>
  );
}
