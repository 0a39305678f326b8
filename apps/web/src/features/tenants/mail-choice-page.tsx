import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiError } from '#api/api-error.ts';
import { messages } from '#messages.ts';
import { Button } from '#ui/button.tsx';
import { FormProblem, Room } from '#ui/notice.tsx';
import { EntryPage } from './entry-page.tsx';

interface MailChoicePageProps<Choice extends string> {
  title: string;
  /** Undefined until one is chosen, so that nothing unchosen is saved. Another choice may be saved later. */
  choice: Choice | undefined;
  save: (choice: Choice) => Promise<unknown>;
  saved: string;
  children: ReactNode;
}

/** The page of a mailed link to choose emails without signing in: a choice, and the button that saves it. */
export function MailChoicePage<Choice extends string>({
  title,
  choice,
  save,
  saved,
  children,
}: MailChoicePageProps<Choice>) {
  const saving = useMutation({ mutationFn: save, onError: (error) => console.error(error) });
  const isCurrent = saving.variables === choice;
  const isSaved = saving.isSuccess && isCurrent;
  const isForeign = saving.error instanceof ApiError && saving.error.status === 404;
  return (
    <EntryPage title={title}>
      {children}
      <Button
        isBusy={saving.isPending}
        disabled={choice === undefined || isSaved}
        onClick={() => choice !== undefined && saving.mutate(choice)}
      >
        Save
      </Button>
      <Room words={saved}>
        <p role="status">{isSaved && saved}</p>
      </Room>
      <FormProblem
        words={isForeign ? messages.linkIncomplete : messages.somethingWrong}
        isShown={saving.isError && isCurrent}
        room={messages.linkIncomplete}
      />
    </EntryPage>
  );
}
