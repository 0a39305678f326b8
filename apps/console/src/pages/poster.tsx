import { ClubPage } from '../club/club-page.tsx';
import { ClubLink } from '../club/link.tsx';

export default function Poster() {
  return <ClubPage title="Link and poster">{(clubId) => <ClubLink clubId={clubId} />}</ClubPage>;
}
