import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Navigate, useNavigate, useParams } from 'react-router';
import { store } from '#api/stored.ts';
import { ClubPicker } from '#features/clubs/club-picker.tsx';
import { clubsQuery } from '#features/clubs/clubs-query.ts';
import { SlugGate } from '#features/clubs/slug-gate.tsx';
import { AlreadySignedIn } from '#features/onboarding/already-signed-in.tsx';
import { EndedNotice } from '#features/tenants/ended-notice.tsx';
import { EntryPage } from '#features/tenants/entry-page.tsx';
import { getStart, getTenant, isOwnBrand } from '#tenant/current.ts';
import { isCampaignOver } from '#tenant/pages.ts';
import { FormError } from '#ui/notice.tsx';
import { Small, TextLink } from '#ui/text-link.tsx';
import { messages } from '../messages.ts';

/** Club selection — /clubs, /register, /clubs/:variable. */
export default function Clubs() {
  const { variable } = useParams();
  const { clubID, parentClubId } = getTenant();
  if (isCampaignOver()) return <EndedNotice />;
  return (
    <SlugGate slug={variable}>
      {(isUnknown) =>
        !parentClubId && clubID && !isOwnBrand(getStart()) ? (
          <Navigate to="/register2" replace state={{ selectedClubId: clubID }} />
        ) : (
          <ClubSelection isUnknownSlug={isUnknown} />
        )
      }
    </SlugGate>
  );
}

function ClubSelection({ isUnknownSlug }: { isUnknownSlug: boolean }) {
  const navigate = useNavigate();
  const { parentClubId } = getTenant();
  const clubs = useQuery(clubsQuery(parentClubId));
  const clubsInPage = getStart().clubs;

  useEffect(() => {
    if (parentClubId) store('parentClubId', parentClubId);
  }, [parentClubId]);
  useEffect(() => {
    if (clubs.error) console.error(clubs.error); // logged as well: the picker says so only where it has no clubs to show
  }, [clubs.error]);

  function pick(clubId: string) {
    store('selectedClubId', clubId);
    void navigate('/register2', { state: { selectedClubId: clubId } });
  }

  return (
    <EntryPage title="Choose an organisation to support">
      {isUnknownSlug && <FormError>{messages.clubsFailed}</FormError>}
      <ClubPicker
        clubs={clubs.data ?? clubsInPage}
        isComplete={clubs.data !== undefined}
        isFailed={clubs.isError}
        onRetry={() => void clubs.refetch()}
        onPick={(club) => pick(club._id)}
        foot={<AlreadySignedIn />}
      />
      <Small>
        Already have an account? <TextLink to="/">Login</TextLink>
      </Small>
      <Small>
        Can't find your club? <TextLink to="/join">Ask to add it</TextLink>
      </Small>
    </EntryPage>
  );
}
