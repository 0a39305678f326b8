import type { ClubFigures } from '@sparechange/contract';
import { useQuery } from '@tanstack/react-query';
import { Card } from '#ui/card.tsx';
import { clubQuery } from './clubs-query.ts';
import { dollars, Goal, people } from './goal.tsx';
import { ShareClub } from './share-club.tsx';

/**
 * Shows the sum a club's supporters give, and shares its page. It is the last card, so nothing moves when it appears.
 */
export function ClubCard({ clubId }: { clubId: string }) {
  const { data: club } = useQuery(clubQuery(clubId));
  if (!club) return null;
  return (
    <Card title="Together">
      {club.figures && (
        <>
          <p>{crowdWords(club.figures)}</p>
          <Goal figures={club.figures} />
        </>
      )}
      <ShareClub name={club.name} slug={club.slug} />
    </Card>
  );
}

const crowdWords = ({ supporters, raisedDollars, monthDollars }: ClubFigures): string =>
  `${people(supporters)} of us, ${monthDollars ? `${dollars(monthDollars)} this month` : `${dollars(raisedDollars)} so far`}.`;
