import { confirmEmail } from '@sparechange/contract';
import { useQuery } from '@tanstack/react-query';
import { useParams, useSearchParams } from 'react-router';
import { ApiError } from '#api/api-error.ts';
import { call } from '#api/call.ts';
import { EntryPage, Tagline } from '#features/tenants/entry-page.tsx';
import { ScreenTitle } from '#features/tenants/screen-title.tsx';
import { getTenant } from '#tenant/current.ts';
import { ButtonLink } from '#ui/button-link.tsx';
import { Room } from '#ui/room.tsx';
import { messages } from '../messages.ts';

const confirmed = 'Thank you. Your email is confirmed.';

/** /confirm-email/:email, from the welcome mail: whoever opens it reads the mails of the address. */
export default function ConfirmEmail() {
  const { email = '' } = useParams();
  const [query] = useSearchParams();
  const token = query.get('token') ?? '';
  const confirming = useQuery({
    queryKey: ['confirm email', email, token],
    queryFn: () => call(confirmEmail, { email, token }),
    retry: false,
    refetchOnWindowFocus: false,
  });
  const isForeign = confirming.error instanceof ApiError && [400, 404].includes(confirming.error.status);
  const problem = isForeign ? messages.linkIncomplete : messages.somethingWrong;
  const words = confirming.isError ? problem : confirmed;
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
