import { useNavigate, useSearchParams } from 'react-router';
import { useSession } from '#api/session.ts';
import { StepActions } from '#features/onboarding/step-page.tsx';
import { Button } from '#ui/button.tsx';
import { ConnectionPage } from './connection-page.tsx';

/** Tells a signed-in supporter that the link belongs to another account; they stay signed in as themselves. */
export function OtherAccount() {
  const session = useSession();
  const navigate = useNavigate();
  const [, setQuery] = useSearchParams();
  const email = session.state === 'signed-in' ? session.email : '';
  const stay = () =>
    setQuery(
      (all) => {
        all.delete('userId');
        return all;
      },
      { replace: true },
    );
  return (
    <ConnectionPage
      state="verification"
      reason="Nothing was connected."
      words={{
        heading: 'Another Account',
        message: `This link belongs to another account. You are still signed in as ${email}.`,
      }}
    >
      <StepActions>
        <Button onClick={stay}>Continue As {email}</Button>
        <Button look="secondary" onClick={() => void navigate('/logout')}>
          Logout
        </Button>
      </StepActions>
    </ConnectionPage>
  );
}
