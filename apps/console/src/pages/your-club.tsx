import { ClubFigures } from '../club/figures.tsx';
import { TreasurerPage } from '../club/treasurer-page.tsx';

export default function YourClub() {
  return <TreasurerPage title="Your club">{(clubId) => <ClubFigures clubId={clubId} />}</TreasurerPage>;
}
