import { confirmClubRequest } from '@sparechange/contract';
import { useMutation } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { ApiError } from '#api/api-error.ts';
import { call } from '#api/call.ts';
import { EntryPage } from '#features/tenants/entry-page.tsx';
import { Button } from '#ui/button.tsx';
import { FormProblem } from '#ui/notice.tsx';
import { messages } from '../messages.ts';

const tooOld = 'This link is not complete, or is older than a week. You are welcome to ask again.';

/** /join/:token, from the mail to a club's contact, who confirms the request. Opening it changes nothing. */
export default function ConfirmJoin() {
  const { token = '' } = useParams();
  const confirm = useMutation({
    mutationFn: () => call(confirmClubRequest, { token }),
    onError: (error) => console.error(error),
  });
  if (confirm.data)
    return (
      <EntryPage title="Thank you">
        <p role="status">
          The request for {confirm.data.club} is with us. We look at it and mail you what comes of it.
        </p>
      </EntryPage>
    );
  const isGone = confirm.error instanceof ApiError && [400, 404].includes(confirm.error.status);
  return (
    <EntryPage title="Your club asks to join">
      <p>Please confirm that you are its contact and that the request is yours.</p>
      <Button isBusy={confirm.isPending} onClick={() => confirm.mutate()}>
        Confirm the request
      </Button>
      <FormProblem words={isGone ? tooOld : messages.somethingWrong} isShown={confirm.isError} room={tooOld} />
    </EntryPage>
  );
}
