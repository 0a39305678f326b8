import { ClubContact } from '../club/contact.tsx';
import { TreasurerPage } from '../club/treasurer-page.tsx';

export default function Contact() {
  return <TreasurerPage title="Contact and mails">{(clubId) => <ClubContact clubId={clubId} />}</TreasurerPage>;
}
