import { stopDebitNotices } from '@sparechange/contract';
import { useMutation } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { ApiError } from '#api/api-error.ts';
import { call } from '#api/call.ts';
import { EntryPage } from '#features/tenants/entry-page.tsx';
import { Button } from '#ui/button.tsx';
import { FormProblem, Room } from '#ui/notice.tsx';
import { TextLink } from '#ui/text-link.tsx';
import { messages } from '../messages.ts';

const stopped = 'You get no more of these mails. On your dashboard, under “Next debit”, you can switch them on again.';

/** /debit-mails/:token, from debit notices; mail programs may post (RFC 8058). */
export default function DebitNotices() {
  const { token = '' } = useParams();
  const stop = useMutation({
    mutationFn: () => call(stopDebitNotices, { token }),
    onError: (error) => console.error(error),
  });
  const isForeign = stop.error instanceof ApiError && stop.error.status === 404;
  return (
    <EntryPage title="Mails before each debit">
      <Room words={stopped}>
        <p role="status">
          {stop.isSuccess
            ? stopped
            : 'We mail you the evening before each debit: how much it is so far, and how to skip it.'}
        </p>
      </Room>
      <Button isBusy={stop.isPending} disabled={stop.isSuccess} onClick={() => stop.mutate()}>
        Stop these mails
      </Button>
      <FormProblem
        words={isForeign ? messages.linkIncomplete : messages.somethingWrong}
        isShown={stop.isError}
        room={messages.linkIncomplete}
      />
      <p>
        <TextLink to="/dashboard">Go to your dashboard</TextLink>
      </p>
    </EntryPage>
  );
}
