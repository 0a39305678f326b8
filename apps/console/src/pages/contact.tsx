import { ClubContact } from '../club/contact.tsx';
import { TreasurerPage } from '../club/treasurer-page.tsx';
import { BankDetails } from './clubs/bank-details.tsx';

export default function Contact() {
  return (
    <TreasurerPage title="Contact and mails">
      {(clubId) => <ClubContact clubId={clubId}>{(club) => <BankDetails club={club} />}</ClubContact>}
    </TreasurerPage>
  );
}
