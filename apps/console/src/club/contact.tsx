import {
  type ClubContact as Contact,
  retrieveClubContact,
  setClubContact,
  setClubMails,
} from '@sparechange/contract/console';
import { formerContactDays } from '@sparechange/domain';
import { Button } from '@sparechange/web/ui/button.tsx';
import { Choice } from '@sparechange/web/ui/choice.tsx';
import { FormNote } from '@sparechange/web/ui/notice.tsx';
import { TextField } from '@sparechange/web/ui/text-field.tsx';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { call } from '#api/call.ts';
import { changedMeanwhile } from '#api/call-problem.ts';
import { readAgain } from '#api/query-client.ts';
import { useAnswer } from '#api/use-answer.ts';
import { useMay } from '#session/use-may.ts';
import { changedWithClub } from '../pages/clubs/club-dialog.tsx';
import { ActDialog } from '../ui/act-dialog.tsx';
import { Failure } from '../ui/failure.tsx';
import { Loaded } from '../ui/loaded.tsx';
import { Note, Section } from '../ui/page.tsx';
import styles from './link.module.css';

type Frequency = 'each_payout' | 'weekly' | 'monthly';
const frequencies: { value: Frequency; label: string }[] = [
  { value: 'each_payout', label: 'With each payout' },
  { value: 'weekly', label: 'Weekly' },
  { value: 'monthly', label: 'Monthly' },
];

interface ClubContactProps {
  clubId: string;
  /** Shown below the contact and its mails. */
  children?: (club: Contact) => ReactNode;
}

/** Describes what the contact gets, and who confirms bank details in their place; empty if there is neither. */
function describeDuties({ contactEmail, confirmingContact }: Contact): string {
  if (contactEmail !== null && confirmingContact === contactEmail)
    return 'Gets the mails about payouts, and confirms new bank details before they are used.';
  return [
    contactEmail && 'Gets the mails about payouts.',
    confirmingContact &&
      `For ${formerContactDays} days after the change ${confirmingContact} confirms new bank details.`,
  ]
    .filter(Boolean)
    .join(' ');
}

/** Shows who is mailed for a club, and how often. */
export function ClubContact({ clubId, children }: ClubContactProps) {
  const contact = useAnswer(retrieveClubContact, { clubId });
  const [isChanging, setChanging] = useState(false);
  const mayChange = useMay(setClubContact, { clubId });
  return (
    <Loaded query={contact}>
      {(club) => (
        <>
          <Section
            title="Contact"
            actions={
              mayChange && (
                <Button look="secondary" onClick={() => setChanging(true)}>
                  Change the contact
                </Button>
              )
            }
          >
            <p className={mayChange ? styles.address : undefined}>
              {club.contactEmail ?? 'None yet, so nobody is emailed.'}
            </p>
            {describeDuties(club) && <Note>{describeDuties(club)}</Note>}
          </Section>
          <MailFrequency clubId={clubId} frequency={club.adviceFrequency} mayChange={mayChange} />
          {children?.(club)}
          {isChanging && <ContactDialog club={club} onClose={() => setChanging(false)} />}
        </>
      )}
    </Loaded>
  );
}

interface MailFrequencyProps {
  clubId: string;
  frequency: Frequency;
  mayChange: boolean;
}

function MailFrequency({ clubId, frequency, mayChange }: MailFrequencyProps) {
  const saveFrequency = useMutation({
    mutationFn: (chosen: Frequency) => call(setClubMails, { clubId, frequency: chosen }),
    onSuccess: () => readAgain(changedWithClub),
  });
  return (
    <Section title="Mails about payouts">
      {mayChange ? (
        <Choice
          legend="How often the contact is mailed"
          columns={1}
          options={frequencies}
          value={saveFrequency.isPending ? saveFrequency.variables : frequency}
          onChange={(chosen) => saveFrequency.mutate(chosen)}
        />
      ) : (
        <p>{frequencies.find(({ value }) => value === frequency)?.label}</p>
      )}
      <Note>
        Weekly and monthly mails come on the first banking day, with every payout’s PDF and one CSV of all. A payout
        retried after it failed is emailed right away.
      </Note>
      {saveFrequency.isSuccess && <FormNote>Saved</FormNote>}
      <Failure of={saveFrequency.error} />
    </Section>
  );
}

function ContactDialog({ club, onClose }: { club: Contact; onClose: () => void }) {
  const { id: clubId, confirmingContact: formerContact } = club;
  const [seen, setSeen] = useState(club.contactEmail ?? '');
  const replaceContact = (contactEmail: string) =>
    call(setClubContact, { clubId, contactEmail, seen }).catch((error) => {
      // A second attempt may replace only the contact that the refusal showed.
      setSeen(changedMeanwhile(error)?.contactEmail ?? seen);
      throw error;
    });
  return (
    <ActDialog
      title="Another contact"
      action="Change it"
      act={(form) => replaceContact(String(form.get('contactEmail')))}
      changes={changedWithClub}
      onClose={onClose}
    >
      {(problem) => (
        <>
          <p>
            The mails about payouts go there from now on.
            {formerContact &&
              ` For ${formerContactDays} days new bank details are still confirmed by ${formerContact}.`}
          </p>
          <TextField
            label="Email"
            name="contactEmail"
            type="email"
            required
            autoComplete="off"
            error={problem('contactEmail')}
          />
        </>
      )}
    </ActDialog>
  );
}
