import { QueryClientProvider } from '@tanstack/react-query';
import { queryClient } from '#api/query-client.ts';
import { useClubBySlug } from '#features/clubs/club-by-slug.ts';
import { WaitingPage } from '#ui/waiting.tsx';
import { ClubLanding } from './club-landing.tsx';

/** Asks for a club's page where the server did not write it into the document. */
export default function LandingLookUp({ slug }: { slug: string }) {
  return (
    <QueryClientProvider client={queryClient}>
      <LookedUp slug={slug} />
    </QueryClientProvider>
  );
}

function LookedUp({ slug }: { slug: string }) {
  const { data, isPending } = useClubBySlug(slug);
  if (isPending) return <WaitingPage />;
  const landing = data && { clubId: data.clubId, page: data.page, hasEnded: data.hasEnded === true };
  return <ClubLanding slug={slug} landing={landing ?? null} />;
}
