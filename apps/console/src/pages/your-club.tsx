import { ClubPage } from '../club/club-page.tsx';
import { ClubFigures } from '../club/figures.tsx';

export default function YourClub() {
  return <ClubPage title="Your club">{(clubId) => <ClubFigures clubId={clubId} />}</ClubPage>;
}
