import { useQuery } from '@tanstack/react-query';
import { EntryPage, Tagline } from '#features/tenants/entry-page.tsx';
import { ScreenTitle } from '#features/tenants/screen-title.tsx';
import { getTenant } from '#tenant/current.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { Room } from '#ui/room.tsx';
import { messages } from '../../messages.ts';

const confirmed = 'Thank you. Your email is confirmed.';

interface EmailConfirmationProps {
  /** The parts of the link: each is confirmed once. */
  link: string[];
  confirm: () => Promise<unknown>;
  /** Returns the words for a failure. */
  refusal: (error: unknown) => string;
}

/** The page of a link that confirms an address: whoever opens it reads the mails of the address. */
export function EmailConfirmation({ link, confirm, refusal }: EmailConfirmationProps) {
  const confirming = useQuery({
    queryKey: ['confirm email', ...link],
    queryFn: async () => {
      await confirm();
      return true;
    },
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const words = confirming.isError ? refusal(confirming.error) : confirmed;
  return (
    <EntryPage banner={<Tagline>{getTenant().biline.primary}</Tagline>}>
      <ScreenTitle>Confirm your email</ScreenTitle>
      <Room words={messages.linkIncomplete}>
        <p role="status">{confirming.isPending ? 'One moment, please.' : words}</p>
      </Room>
      <ButtonLink to="/dashboard">Go to your dashboard</ButtonLink>
    </EntryPage>
  );
}
