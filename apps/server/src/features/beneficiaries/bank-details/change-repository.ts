import type { IsoDate } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import { accountOf } from '#features/beneficiaries/clubs/club-record.ts';
import { selectConfirmingContact } from '#features/beneficiaries/clubs/contact-changes.ts';
import { requestsThatEnded } from '#features/core/approvals/approval-repository.ts';
import type { FieldEncryption } from '#secrets/field-encryption.ts';

/** The act that agrees to a change. */
export const bankDetailsName = 'club_bank_details';

/** A change of a club's bank details, open until it is applied or cancelled. */
export interface BankDetailChange {
  id: string;
  clubId: string;
  club: string;
  accountName: string | null;
  /** Last digits of the account number. */
  endsIn: string;
  /** Contact asked to confirm; null if the club had none. */
  contactEmail: string | null;
  askedBy: string;
  askedAt: Date;
  confirmedAt: Date | null;
  agreedBy: string | null;
  effectiveOn: IsoDate | null;
  appliedAt: Date | null;
  cancelledAt: Date | null;
}

const columns = (db: Db) => db`
  change.id, club_id as "clubId", club.name as club, change.account_name as "accountName", ends_in as "endsIn",
  change.contact_email as "contactEmail", asked_by as "askedBy", asked_at as "askedAt", confirmed_at as "confirmedAt",
  agreed_by as "agreedBy", effective_on as "effectiveOn", applied_at as "appliedAt", cancelled_at as "cancelledAt"`;

export async function findChange(db: Db, id: string): Promise<BankDetailChange | undefined> {
  const [change] = await db<BankDetailChange[]>`
    select ${columns(db)} from bank_detail_changes change join clubs club on club.id = club_id where change.id::text = ${id}`;
  return change;
}

/** Formats the account of a change like a club's own, its number masked; null once its details are deleted. */
export async function findChangedAccount(db: Db, encryption: FieldEncryption, id: string): Promise<string | null> {
  const [row] = await db<Parameters<typeof accountOf>[1][]>`
    select club_id as id, account_name as "accountName", bsb_encrypted as bsb, account_number_encrypted as "accountNumber"
    from bank_detail_changes where id::text = ${id}`;
  return row ? accountOf(encryption, row) : null;
}

/** Returns the name of a person of the console, or of the operating system. */
export async function nameOf(db: Db, actor: string): Promise<string> {
  const [person] = await db<{ name: string }[]>`select name from operators where 'console ' || id = ${actor}`;
  return person?.name ?? actor;
}

/** Locks a change and returns it. */
export async function lockChange(tx: Db, id: string): Promise<BankDetailChange | undefined> {
  await tx`select from bank_detail_changes where id::text = ${id} for update`;
  return findChange(tx, id);
}

export async function findOpenChange(db: Db, clubId: string): Promise<BankDetailChange | undefined> {
  const [change] = await db<BankDetailChange[]>`
    select ${columns(db)} from bank_detail_changes change join clubs club on club.id = club_id
    where club_id = ${clubId} and applied_at is null and cancelled_at is null`;
  return change;
}

/**
 * Locks and lists changes that nobody can agree to any more, and those requested before an instant without an effective
 * day.
 */
export const lockLapsed = (tx: Db, now: Date, askedBefore: Date) => tx<BankDetailChange[]>`
  select ${columns(tx)} from bank_detail_changes change join clubs club on club.id = club_id
  where applied_at is null and cancelled_at is null and effective_on is null and (asked_at < ${askedBefore}
    or (agreed_by is null and jsonb_build_object('changeId', change.id) in (${requestsThatEnded(tx, bankDetailsName, now)})))
  for update of change`;

/** A change that was stopped, or that lapsed. */
export interface StoppedChange {
  endsIn: string;
  at: Date;
  by: string;
}

/** Finds a club's last change if it was stopped, or lapsed, after an instant. */
export async function findStoppedChange(db: Db, clubId: string, after: Date): Promise<StoppedChange | undefined> {
  const [last] = await db<{ endsIn: string; at: Date | null; by: string }[]>`
    select ends_in as "endsIn", cancelled_at as at, cancelled_by as by from bank_detail_changes
    where club_id = ${clubId} order by asked_at desc, id desc limit 1`;
  return last?.at && last.at > after ? { ...last, at: last.at } : undefined;
}

/** A change that the organisation agreed to and the contact did not confirm in time. */
export interface UnconfirmedChange {
  id: string;
  clubId: string;
  club: string;
  askedBy: string;
  askedAt: Date;
  lapsedAt: Date;
}

/** Lists changes that lapsed after an instant although the organisation had agreed, latest first. */
export const listUnconfirmed = (db: Db, after: Date) => db<UnconfirmedChange[]>`
  select change.id, club_id as "clubId", club.name as club, asked_by as "askedBy", asked_at as "askedAt", cancelled_at as "lapsedAt"
  from bank_detail_changes change join clubs club on club.id = club_id
  where cancelled_by = 'lapsed' and agreed_by is not null and cancelled_at > ${after}
  order by cancelled_at desc, change.id limit 50`;

interface NewChange {
  clubId: string;
  accountName: string | null;
  bsb: Uint8Array;
  accountNumber: Uint8Array;
  endsIn: string;
  askedBy: string;
  at: Date;
}

/** Records a change and its confirming contact. */
export async function insertChange(db: Db, change: NewChange): Promise<string> {
  const [row] = await db<{ id: string }[]>`
    insert into bank_detail_changes (club_id, account_name, bsb_encrypted, account_number_encrypted, ends_in, contact_email,
      asked_by, asked_at, confirmed_at)
    select id, ${change.accountName}, ${change.bsb}, ${change.accountNumber}, ${change.endsIn}, asked.email, ${change.askedBy},
      ${change.at}, case when asked.email is null then ${change.at}::timestamptz end
    from clubs cross join lateral (select ${selectConfirmingContact(db, change.at)} as email) asked
    where id = ${change.clubId} returning id`;
  return row?.id ?? '';
}

/** Cancels a change and deletes its details. */
export const cancelChange = (db: Db, id: string, by: string, at: Date) => db`
  update bank_detail_changes set cancelled_at = ${at}, cancelled_by = ${by}, bsb_encrypted = null, account_number_encrypted = null
  where id = ${id}`;

export const recordConfirmation = (db: Db, id: string, at: Date) => db`
  update bank_detail_changes set confirmed_at = ${at} where id = ${id}`;

export const recordAgreement = (db: Db, id: string, by: string, at: Date) => db`
  update bank_detail_changes set agreed_by = ${by}, agreed_at = ${at} where id = ${id}`;

export const recordEffect = (db: Db, id: string, day: IsoDate) => db`
  update bank_detail_changes set effective_on = ${day} where id = ${id}`;

/** Locks the clubs with due details, before their changes, in the same order as a request for other details. */
export const lockClubsOfDue = (tx: Db, day: IsoDate) => tx`
  select from clubs where id in (
    select club_id from bank_detail_changes where applied_at is null and cancelled_at is null and effective_on <= ${day})
  order by id for no key update`;

/** Applies due details to clubs and returns the applied changes. */
export function applyDue(tx: Db, day: IsoDate, at: Date): Promise<{ id: string; clubId: string }[]> {
  return tx<{ id: string; clubId: string }[]>`
    with due as (
      select * from bank_detail_changes
      where applied_at is null and cancelled_at is null and effective_on <= ${day} for update
    ), applied as (
      update bank_detail_changes change set applied_at = ${at}, bsb_encrypted = null, account_number_encrypted = null
      from due where change.id = due.id
    ), changed as (
      update clubs set account_name = due.account_name, bsb_encrypted = due.bsb_encrypted,
        account_number_encrypted = due.account_number_encrypted
      from due where clubs.id = due.club_id
    )
    select id, club_id as "clubId" from due`;
}
