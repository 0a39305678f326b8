import { ClubPayouts } from '../club/payouts.tsx';
import { TreasurerPage } from '../club/treasurer-page.tsx';

export default function Payouts() {
  return <TreasurerPage title="Payouts">{(clubId) => <ClubPayouts clubId={clubId} />}</TreasurerPage>;
}
