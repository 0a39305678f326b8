import { isDeadLink } from '#api/identity-error.ts';
import { applyActionCode } from '#api/session.ts';
import { EmailConfirmation } from '#features/identity/email-confirmation.tsx';
import { useAddressQuery } from '#ui/address-query.ts';
import { messages } from '../messages.ts';
import { ChangedEmail } from './changed-email.tsx';
import ResetPassword from './reset-password.tsx';

/** /__/auth/action?mode=…&oobCode=…, the target of links in the identity provider's emails. */
export default function ActionCode() {
  const query = useAddressQuery();
  const code = query.get('oobCode') ?? '';
  switch (query.get('mode')) {
    case 'verifyEmail':
      return (
        <EmailConfirmation
          link={[code]}
          confirm={() => applyActionCode(code)}
          deadLink={(error) => (isDeadLink(error) ? messages.linkTooOld : undefined)}
        />
      );
    case 'verifyAndChangeEmail':
      return <ChangedEmail kind="change" code={code} />;
    case 'recoverEmail':
      return <ChangedEmail kind="undo" code={code} />;
    default:
      return <ResetPassword />;
  }
}
