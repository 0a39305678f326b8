import { ClubAccountName, ClubAccountNumber } from '@sparechange/contract/console';
import { addDays, type IsoDate, sydneyDay } from '@sparechange/domain';
import { nextBankingDay } from '@sparechange/domain/banking-calendar';
import { z } from 'zod';
import { type Actor, actorName, appendToAuditLog, operatorsChain } from '#audit/audit-log.ts';
import type { Db, Pool } from '#db/connect.ts';
import { Conflict, InvalidInput, NotFound } from '#errors.ts';
import { findClub } from '#features/beneficiaries/clubs/club-repository.ts';
import { type Approval, findExpiry } from '#features/core/approvals/approval-repository.ts';
import { refuseRequestsOf } from '#features/core/approvals/approve.ts';
import type { DoOrAsk } from '#features/core/approvals/approved-acts.ts';
import { queueMail } from '#features/core/outbox/outbox-repository.ts';
import type { Clock } from '#ports/clock.ts';
import type { FieldEncryption } from '#secrets/field-encryption.ts';
import {
  applyDue,
  type BankDetailChange,
  bankDetailsName,
  cancelChange,
  findOpenChange,
  insertChange,
  lockChange,
  lockClubsOfDue,
  lockLapsed,
  recordAgreement,
  recordConfirmation,
  recordEffect,
} from './change-repository.ts';

interface Deps {
  db: Pool;
  clock: Clock;
}

/** Time in which the contact has to confirm. */
const confirmationDays = 14;

export const BankDetails = z.object({
  bsb: z.string().regex(/^\d{3}-?\d{3}$/, 'A BSB has six digits'),
  accountNumber: ClubAccountNumber,
  accountName: ClubAccountName.nullable(),
});

export type BankDetailsGiven = z.input<typeof BankDetails>;

const note = (tx: Db, at: Date, actor: string, action: string, change: { id: string; clubId: string }, by?: string) =>
  appendToAuditLog(tx, {
    supporterId: operatorsChain,
    at,
    actor,
    action,
    details: { club: change.clubId, change: change.id, ...(by === undefined ? {} : { by }) },
  });

const mail = (tx: Db, id: string, step: 'word' | 'hold', at: Date) =>
  queueMail(tx, {
    recipient: 'club',
    supporterId: null,
    key: `bank details ${step} ${id}`,
    facts: { kind: 'bank_details', changeId: id, step },
    at,
    isUrgent: true,
  });

/** Returns when a change that both agreed to takes effect. */
const effectOf = (now: Date): IsoDate => nextBankingDay(nextBankingDay(sydneyDay(now)));

/**
 * Records a change in place of any other open one, and emails the club's contact to confirm it. It is not yet used for
 * payments.
 */
export async function requestChange(
  { db, clock, encryption }: Deps & { encryption: FieldEncryption },
  club: string,
  given: BankDetailsGiven,
  actor: Actor,
): Promise<BankDetailChange> {
  const by = actorName(actor);
  const parsed = BankDetails.safeParse(given);
  if (!parsed.success) throw new InvalidInput(parsed.error.issues.map(({ message }) => `${message}.`).join(' '));
  const { bsb, accountNumber, accountName } = parsed.data;
  const at = clock.now();
  return db.begin(async (tx) => {
    const found = await findClub(tx, club.toLowerCase());
    if (!found) throw new NotFound('The club');
    await tx`select from clubs where id = ${found.id} for update`;
    const former = await findOpenChange(tx, found.id);
    if (former) {
      await refuseRequest(tx, former.id, actor, at, 'Another change was asked for in its place.');
      await cancelChange(tx, former.id, by, at);
    }
    const id = await insertChange(tx, {
      clubId: found.id,
      accountName,
      bsb: encryption.encrypt(bsb.replace('-', ''), `club ${found.id} bsb`),
      accountNumber: encryption.encrypt(accountNumber, `club ${found.id} account number`),
      endsIn: accountNumber.slice(-3),
      askedBy: by,
      at,
    });
    const change = await open(tx, id, at);
    if (change.contactEmail) await mail(tx, id, 'word', at);
    await note(tx, at, 'operator', 'bank details of a club asked for', change, by);
    return change;
  });
}

interface AskDeps extends Omit<Parameters<typeof requestChange>[0], 'by'> {
  /** Agrees for the organisation, or asks a second person to. */
  agreeOrAsk: DoOrAsk<{ changeId: string }>;
}

/** Records a requested change, emails the contact to confirm it, and asks a second person if two are needed. */
export async function askForChange(
  { agreeOrAsk, ...deps }: AskDeps,
  actor: Actor,
  clubId: string,
  given: BankDetailsGiven,
): Promise<{ change: BankDetailChange; summary: string; approval?: Approval }> {
  const change = await requestChange(deps, clubId, given, actor);
  const summary = `Bank details of ${change.club} that end in ${change.endsIn}`;
  const tried = await agreeOrAsk(actor, { changeId: change.id }, summary);
  return { change, summary, ...('approval' in tried ? { approval: tried.approval } : {}) };
}

/**
 * Refuses the request for a change, so that nobody is asked any more; locked before the change, as in refusing by hand.
 */
const refuseRequest = (tx: Db, changeId: string, by: Actor, at: Date, because: string) =>
  refuseRequestsOf(tx, bankDetailsName, { by, at, because }, { changeId });

/**
 * Returns the day on which a change lapses unless all agree: the request for a second person ends before the contact's
 * time does.
 */
export async function dayOfLapse(
  db: Db,
  { id, askedAt, agreedBy }: Pick<BankDetailChange, 'id' | 'askedAt' | 'agreedBy'>,
): Promise<IsoDate> {
  const ofContact = addDays(sydneyDay(askedAt), confirmationDays);
  const request = { act: bankDetailsName, arguments: { changeId: id } };
  const expiresAt = agreedBy === null ? await findExpiry(db, request) : undefined;
  const ofRequest = expiresAt && sydneyDay(expiresAt);
  return ofRequest && ofRequest < ofContact ? ofRequest : ofContact;
}

/** Locks a change that may still be decided on. */
async function open(tx: Db, id: string, at: Date): Promise<BankDetailChange> {
  const change = await lockChange(tx, id);
  if (!change) throw new NotFound('The change');
  if (change.cancelledAt) throw new Conflict('The change was stopped.');
  const hasLapsed = !change.effectiveOn && at.getTime() - change.askedAt.getTime() > confirmationDays * 86_400_000;
  if (hasLapsed) throw new Conflict('The change has lapsed; it has to be asked for again.');
  return change;
}

/**
 * Sets the effective day of a change that contact and operator both agreed to, and emails the contact how to stop it.
 */
async function holdBack(tx: Db, { id }: BankDetailChange, at: Date): Promise<void> {
  const change = await open(tx, id, at);
  if (!change.confirmedAt || !change.agreedBy || change.effectiveOn) return;
  await recordEffect(tx, id, effectOf(at));
  if (change.contactEmail) await mail(tx, id, 'hold', at);
}

/** Records the contact's confirmation; repeating it changes nothing. */
export function confirmChange({ db, clock }: Deps, id: string): Promise<void> {
  const at = clock.now();
  return db.begin(async (tx) => {
    const change = await open(tx, id, at);
    if (change.confirmedAt) return;
    await recordConfirmation(tx, id, at);
    await note(tx, at, 'mailed link', 'bank details of a club confirmed', change);
    await holdBack(tx, change, at);
  });
}

/** Records the organisation's agreement; repeating it changes nothing. */
export function agreeToChange({ db, clock }: Deps, id: string, by: string): Promise<void> {
  const at = clock.now();
  return db.begin(async (tx) => {
    const change = await open(tx, id, at);
    if (change.agreedBy) return;
    await recordAgreement(tx, id, by, at);
    await note(tx, at, 'operator', 'bank details of a club agreed to', change, by);
    await holdBack(tx, change, at);
  });
}

/** Represents the club's contact who refused a request. */
const contact: Actor = { kind: 'operating_system', id: 'contact' };

/** Stops a change that is not applied yet, and refuses the request for it; repeating it changes nothing. */
export function stopChange({ db, clock }: Deps, id: string, by: Actor | 'contact'): Promise<void> {
  const at = clock.now();
  const isContact = by === 'contact';
  const actor = isContact ? contact : by;
  return db.begin(async (tx) => {
    await refuseRequest(tx, id, actor, at, isContact ? "The club's contact stopped it." : 'The change was stopped.');
    const change = await lockChange(tx, id);
    if (!change) throw new NotFound('The change');
    if (change.appliedAt) throw new Conflict('The new details are in use already; ask for another change.');
    if (change.cancelledAt) return;
    await cancelChange(tx, id, actorName(actor), at);
    await note(
      tx,
      at,
      isContact ? 'mailed link' : 'operator',
      'change of bank details stopped',
      change,
      actorName(actor),
    );
  });
}

/** Stops a change whose request was refused. */
export async function stopRefusedChange(tx: Db, id: string, by: string, at: Date): Promise<void> {
  const change = await lockChange(tx, id);
  if (!change || change.appliedAt || change.cancelledAt) return;
  await cancelChange(tx, id, by, at);
  await note(tx, at, 'operator', 'change of bank details stopped', change, by);
}

/** Recorded instead of a person when a change lapsed. */
export const lapsed = 'lapsed';

/**
 * Ends changes that nobody decided on in time, so that their details are deleted and everybody sees that they are over.
 */
export async function endLapsedChanges(tx: Db, clock: Clock): Promise<void> {
  const at = clock.now();
  for (const change of await lockLapsed(tx, at, new Date(at.getTime() - confirmationDays * 86_400_000))) {
    await cancelChange(tx, change.id, lapsed, at);
    await note(tx, at, 'timetable', 'change of bank details lapsed', change);
  }
}

/** Gives clubs the bank details whose day has come. */
export async function applyDueChanges(tx: Db, clock: Clock, day: IsoDate): Promise<void> {
  const at = clock.now();
  await lockClubsOfDue(tx, day);
  for (const change of await applyDue(tx, day, at))
    await note(tx, at, 'timetable', 'bank details of a club changed', change);
}
