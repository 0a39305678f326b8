import * as contract from '@sparechange/contract/console';
import { sydneyDay } from '@sparechange/domain';
import type { Db, Pool } from '#db/connect.ts';
import { takeFromTokenBucket } from '#db/token-bucket.ts';
import { Conflict, Refusal } from '#errors.ts';
import { getClub } from '#features/beneficiaries/clubs/club-repository.ts';
import { findConfirmingContact } from '#features/beneficiaries/clubs/contact-changes.ts';
import type { AskedFor } from '#features/core/approvals/approved-acts.ts';
import { consoleActor, type ServeConsole } from '#http/serve-console.ts';
import type { Clock } from '#ports/clock.ts';
import type { FieldEncryption } from '#secrets/field-encryption.ts';
import type { bankDetails } from './bank-details-act.ts';
import { askForChange, dayOfLapse, lapsed, stopChange } from './change-bank-details.ts';
import {
  type BankDetailChange,
  findChangedAccount,
  findOpenChange,
  findStoppedChange,
  nameOf,
  type StoppedChange,
} from './change-repository.ts';

interface BankDetailsDeps {
  db: Pool;
  clock: Clock;
  encryption: FieldEncryption;
  acts: AskedFor<{ bankDetails: typeof bankDetails; bankDetailsOfTreasurer: typeof bankDetails }>;
  sendMails: () => Promise<void>;
}

async function presentChange(
  { db, encryption }: Pick<BankDetailsDeps, 'db' | 'encryption'>,
  change: BankDetailChange,
): Promise<contract.BankDetailChange> {
  const { askedBy, askedAt, confirmedAt, agreedBy, ...facts } = change;
  return {
    ...facts,
    account: await findChangedAccount(db, encryption, change.id),
    askedBy: await nameOf(db, askedBy),
    askedAt: askedAt.toISOString(),
    confirmedAt: confirmedAt?.toISOString() ?? null,
    agreedBy: agreedBy === null ? null : await nameOf(db, agreedBy),
    lapsesOn: await dayOfLapse(db, change),
  };
}

/** Period during which a stopped change is shown. */
const msShown = 30 * 86_400_000;

const presentStopped = async (db: Db, { endsIn, at, by }: StoppedChange) => ({
  endsIn,
  on: sydneyDay(at),
  by: by === lapsed ? null : await nameOf(db, by),
});

/** Maximum of a treasurer's requests, as each emails the contact. */
const ofTreasurers = { burst: 3, everySeconds: 8 * 3600 };

async function refuseMany(db: Db, clubId: string): Promise<void> {
  if (!(await takeFromTokenBucket(db, 'rate_limits', `bank details of ${clubId}`, ofTreasurers)))
    throw new Refusal('too-many-requests', 'A club can ask for new bank details three times a day. Please ask us.');
}

/** Serves a change of a club's bank details: its status, request and cancellation. */
export function bankDetailConsoleRoutes(serve: ServeConsole, deps: BankDetailsDeps): void {
  const { db, clock, acts, sendMails } = deps;

  serve.person(contract.retrieveBankDetailChange, async ({ clubId }) => {
    const { id } = await getClub(db, clubId);
    const change = await findOpenChange(db, id);
    const stopped = await findStoppedChange(db, id, new Date(clock.now().getTime() - msShown));
    return {
      change: change ? await presentChange(deps, change) : null,
      stopped: stopped && !change ? await presentStopped(db, stopped) : null,
      confirmingContact: await findConfirmingContact(db, id, clock.now()),
    };
  });

  serve.person(contract.changeBankDetails, async ({ clubId, ...given }, caller) => {
    const isOfOrganisation = caller.roles.some((role) => role === 'owner' || role === 'finance');
    if (!isOfOrganisation) await refuseMany(db, clubId);
    const agreeOrAsk = isOfOrganisation ? acts.bankDetails : acts.bankDetailsOfTreasurer;
    await askForChange({ ...deps, agreeOrAsk }, consoleActor(caller), clubId, given);
    await sendMails();
    return {};
  });

  serve.person(contract.stopBankDetailChange, async ({ clubId }, caller) => {
    const { id } = await getClub(db, clubId);
    const change = await findOpenChange(db, id);
    if (!change) throw new Conflict('There is no change to stop.');
    await stopChange(deps, change.id, consoleActor(caller));
    return {};
  });
}
