import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Navigate, useLocation, useNavigate } from 'react-router';
import { readStored } from '#api/stored.ts';
import { clubQuery } from '#features/clubs/clubs-query.ts';
import { AlreadySignedIn } from '#features/onboarding/already-signed-in.tsx';
import { readSelectedClub } from '#features/onboarding/navigation.ts';
import { RegistrationForm } from '#features/onboarding/registration-form.tsx';
import { EndedNotice } from '#features/tenants/ended-notice.tsx';
import { EntryPage } from '#features/tenants/entry-page.tsx';
import { registrationStart } from '#features/tenants/registration-start.ts';
import { getStart } from '#tenant/current.ts';
import { isCampaignOver } from '#tenant/pages.ts';
import { Small, TextLink } from '#ui/text-link.tsx';
import styles from './register.module.css';

/** Registration — /register2. Without a chosen club one is chosen first. */
export default function Register() {
  const navigate = useNavigate();
  const clubId = readSelectedClub(useLocation().state) ?? readStored('selectedClubId');
  const club = useQuery({ ...clubQuery(clubId ?? ''), enabled: clubId !== undefined });
  const [hasJustEnded, setJustEnded] = useState(false);
  if (club.data?.hasEnded || hasJustEnded) return <EndedNotice />;
  if (isCampaignOver()) return <EndedNotice />;
  if (!clubId) return <Navigate to="/clubs" replace />;
  const hasClubs = registrationStart(getStart()).path === '/clubs';
  const goesHome = getStart().tenantKey !== 'default';

  return (
    <EntryPage title="Register">
      <AlreadySignedIn />
      <SupportedClub name={club.data?.name} />
      <RegistrationForm
        clubId={clubId}
        onRegistered={() => void navigate('/launch-consent', { replace: true })}
        onEnded={() => setJustEnded(true)}
      />
      <div>
        <Small>
          Made a mistake?{' '}
          {goesHome ? (
            <>
              <TextLink to="/" state={{ clubId }}>
                Go back
              </TextLink>{' '}
              {hasClubs && <TextLink to="/clubs">Choose another club</TextLink>}
            </>
          ) : (
            <TextLink to="/clubs">Go back</TextLink>
          )}
        </Small>
        <Small>
          Already have an account? <TextLink to="/">Login</TextLink>
        </Small>
      </div>
    </EntryPage>
  );
}

/** Shows the registration's club, with steady lines while it loads. */
const SupportedClub = ({ name }: { name: string | undefined }) => (
  <p className={styles.club}>
    {name && (
      <>
        Supporting: <strong>{name}</strong>
      </>
    )}
  </p>
);
