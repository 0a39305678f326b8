import { ClubPage } from '../club/club-page.tsx';
import { ClubContact } from '../club/contact.tsx';

export default function Contact() {
  return <ClubPage title="Contact and mails">{(clubId) => <ClubContact clubId={clubId} />}</ClubPage>;
}
