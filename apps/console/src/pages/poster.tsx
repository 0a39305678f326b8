import { ClubLink } from '../club/link.tsx';
import { TreasurerPage } from '../club/treasurer-page.tsx';

export default function Poster() {
  return <TreasurerPage title="Link and poster">{(clubId) => <ClubLink clubId={clubId} />}</TreasurerPage>;
}
