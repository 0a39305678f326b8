import { confirmEmail } from '@sparechange/contract';
import { useParams } from 'react-router';
import { ApiError } from '#api/api-error.ts';
import { call } from '#api/call.ts';
import { EmailConfirmation } from '#features/identity/email-confirmation.tsx';
import { useAddressQuery } from '#ui/address-query.ts';
import { messages } from '../messages.ts';

const isBadLink = (error: unknown): boolean => error instanceof ApiError && [400, 404].includes(error.status);

/** /confirm-email/:email, from the welcome mail: opening it proves the address. */
export default function ConfirmEmail() {
  const { email = '' } = useParams();
  const query = useAddressQuery();
  const token = query.get('token') ?? '';
  return (
    <EmailConfirmation
      link={[email, token]}
      confirm={() => call(confirmEmail, { email, token })}
      deadLink={(error) => (isBadLink(error) ? messages.linkIncomplete : undefined)}
    />
  );
}
