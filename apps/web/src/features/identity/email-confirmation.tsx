import { useQuery } from '@tanstack/react-query';
import { EntryPage } from '#features/tenants/entry-page.tsx';
import { ButtonLink } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import { TryAgain } from '#ui/retry.tsx';
import { messages } from '../../messages.ts';
import styles from './email-confirmation.module.css';

interface EmailConfirmationProps {
  /** The parts of the link: each is confirmed once. */
  link: string[];
  confirm: () => Promise<unknown>;
  /** Returns a dead link's words; undefined where retrying may help. */
  deadLink: (error: unknown) => string | undefined;
}

/** The page of a link that confirms an address: opening it proves access to the mailbox. */
export function EmailConfirmation(props: EmailConfirmationProps) {
  return (
    <EntryPage title="Confirm your email">
      <div className={styles.space}>
        <Outcome {...props} />
      </div>
    </EntryPage>
  );
}

function Outcome({ link, confirm, deadLink }: EmailConfirmationProps) {
  const confirming = useQuery({
    queryKey: ['confirm email', ...link],
    queryFn: async () => {
      await confirm();
      return true;
    },
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (confirming.isLoading) return <p role="status">One moment, please.</p>;
  const dead = deadLink(confirming.error);
  if (confirming.isError && dead === undefined) {
    return <TryAgain onRetry={confirming.refetch}>{messages.somethingWrong}</TryAgain>;
  }
  return (
    <>
      {confirming.isError ? <Notice>{dead}</Notice> : <p role="status">Thank you. Your email is confirmed.</p>}
      <ButtonLink to="/dashboard">Go to your dashboard</ButtonLink>
    </>
  );
}
