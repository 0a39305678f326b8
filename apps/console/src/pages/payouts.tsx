import { ClubPage } from '../club/club-page.tsx';
import { ClubPayouts } from '../club/payouts.tsx';

export default function Payouts() {
  return <ClubPage title="Payouts">{(clubId) => <ClubPayouts clubId={clubId} />}</ClubPage>;
}
