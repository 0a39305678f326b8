import * as contract from '@sparechange/contract/console';
import { actorName } from '#audit/audit-log.ts';
import type { Pool } from '#db/connect.ts';
import { NotFound } from '#errors.ts';
import { consoleActor, type ServeConsole } from '#http/serve-console.ts';
import type { Clock } from '#ports/clock.ts';
import type { FieldEncryption } from '#secrets/field-encryption.ts';
import { findClubRecord } from './club-record.ts';
import { findAdviceFrequency, getClub, setAdviceFrequency } from './club-repository.ts';
import { findConfirmingContact } from './contact-changes.ts';
import { editClub } from './edit-club.ts';

interface ContactDeps {
  db: Pool;
  clock: Clock;
  encryption: FieldEncryption;
}

/** Serves what a club decides itself: its email address, how often it is mailed, and its goal. */
export function contactRoutes(serve: ServeConsole, { db, clock, encryption }: ContactDeps): void {
  serve.person(contract.retrieveClubContact, async ({ clubId }, caller) => {
    const club = await findClubRecord(db, encryption, clubId);
    const adviceFrequency = await findAdviceFrequency(db, clubId);
    if (!club || !adviceFrequency) throw new NotFound('The club');
    const account = contract.maySeeBankDetails(caller, clubId) ? club.account : null;
    const confirmingContact = await findConfirmingContact(db, clubId, clock.now());
    return { ...club, account, adviceFrequency, confirmingContact };
  });

  serve.person(contract.setClubContact, async ({ clubId, contactEmail, seen }, caller) => {
    const by = actorName(consoleActor(caller));
    await editClub({ db, clock, by }, clubId, { contactEmail }, { contactEmail: seen });
    return {};
  });

  serve.person(contract.setClubMails, async ({ clubId, frequency }) => {
    const { id } = await getClub(db, clubId);
    await setAdviceFrequency(db, id, frequency);
    return {};
  });
  serve.person(contract.setClubGoal, async ({ clubId, goalDollars = null, seen }, caller) => {
    const by = actorName(consoleActor(caller));
    await editClub({ db, clock, by }, clubId, { goalDollars }, { goalDollars: seen });
    return {};
  });
}
