import { type OutputOf, skipDebitByLink } from '@sparechange/contract';
import { isoDate, shortDay } from '@sparechange/domain';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router';
import { ApiError } from '#api/api-error.ts';
import { call } from '#api/call.ts';
import { debitHasBegun } from '#features/next-debit/debit-has-begun.ts';
import { EntryPage } from '#features/tenants/entry-page.tsx';
import { Button } from '#ui/button.tsx';
import { FormProblem, Room } from '#ui/notice.tsx';
import { TextLink } from '#ui/text-link.tsx';
import { messages } from '../messages.ts';

/** Returns the run a link names, unverified: only the server can tell whether the link is ours. */
function runOf(token: string): string | undefined {
  const [, run] = token.split('.');
  try {
    return run && shortDay(isoDate(run));
  } catch {
    return undefined;
  }
}

/** /skip-debit/:token. Opening does nothing, as mail clients open links. */
export default function SkipDebit() {
  const { token = '' } = useParams();
  const run = runOf(token);
  const [known, setKnown] = useState<OutputOf<typeof skipDebitByLink>>(); // kept while another change is asked for, or fails
  const skip = useMutation({
    mutationFn: (isSkipped: boolean) => call(skipDebitByLink, { token, isSkipped }),
    onSuccess: setKnown,
    onError: (error) => console.error(error),
  });
  const isSkipped = known?.isSkipped ?? false;
  const question = `Your round-ups are debited on ${run ?? 'the next debit day'}. If you skip it, they will be added to the next one.`;
  return (
    <EntryPage title={isSkipped ? 'Skipped' : 'Skip this debit?'}>
      <Room words={question}>
        <p role="status">
          {isSkipped && known
            ? `Nothing is debited on ${run}. Your round-ups will be added to the debit on ${shortDay(isoDate(known.date))}.`
            : question}
        </p>
      </Room>
      <Button
        look={isSkipped ? 'secondary' : 'primary'}
        isBusy={skip.isPending}
        onClick={() => skip.mutate(!isSkipped)}
      >
        {isSkipped ? 'Undo' : 'Skip this debit'}
      </Button>
      <FormProblem
        words={skip.error ? problem(skip.error) : ''}
        isShown={skip.isError}
        room={messages.linkIncomplete}
      />
      <p>
        <TextLink to="/dashboard">Go to your dashboard</TextLink>
      </p>
    </EntryPage>
  );
}

function problem(error: Error): string {
  if (!(error instanceof ApiError)) return messages.somethingWrong;
  if (error.status === 409) return debitHasBegun;
  return error.status === 404 ? messages.linkIncomplete : messages.somethingWrong;
}
