import { formerContactDays } from '@sparechange/domain';
import type { Db } from '#db/connect.ts';
import { queueMail } from '#features/core/outbox/outbox-repository.ts';

interface ContactChange {
  clubId: string;
  /** In lower case, in which it is compared with the stored one. */
  contactEmail: string | null;
  /** Author of the change, as in the audit log. */
  by: string;
  at: Date;
}

/**
 * Returns the instant after which a change of contact is recent; calculated here, as Citus refuses that within CASE in
 * an update.
 */
export const recentSince = (at: Date): Date => new Date(at.getTime() - formerContactDays * 86_400_000);

/**
 * Records the author of a change of a club's contact, beside those of the last days, and emails the former contact, if
 * there is one. Returns false if it stays the same.
 */
export async function recordContactChange(tx: Db, { clubId, contactEmail, by, at }: ContactChange): Promise<boolean> {
  const [changed] = await tx<{ hadOne: boolean }[]>`
    update clubs set contact_changed_by = case when contact_changed_at > ${recentSince(at)}
      then array_append(contact_changed_by, ${by}) else array[${by}] end
    where id = ${clubId} and lower(contact_email) is distinct from ${contactEmail}
    returning coalesce(contact_email, former_contact_email) is not null as "hadOne"`;
  if (!changed?.hadOne) return changed !== undefined;
  await queueMail(tx, {
    recipient: 'club',
    supporterId: null,
    key: `club contact ${clubId} ${at.toISOString()}`,
    facts: { kind: 'club_contact', clubId },
    at,
    isUrgent: true,
  });
  return true;
}

/** Finds a club's former contact, the end of their confirmation period, and the club's name. */
export async function findFormerContact(db: Db, clubId: string) {
  const [former] = await db<{ club: string; email: string | null; until: Date }[]>`
    select name as club, former_contact_email as email, contact_changed_at + make_interval(days => ${formerContactDays}) as until
    from clubs where id = ${clubId} and former_contact_email is distinct from contact_email`;
  return former;
}

/**
 * Selects the person who confirms new bank details of a club: for some days after a change of contact the former one.
 */
export const selectConfirmingContact = (db: Db, at: Date) => db`
  case when contact_changed_at > ${recentSince(at)}
    then coalesce(former_contact_email, contact_email) else contact_email end`;

/** Finds the person who would be asked now to confirm new bank details of a club; null if it has no contact. */
export async function findConfirmingContact(db: Db, clubId: string, at: Date): Promise<string | null> {
  const [club] = await db<{ email: string | null }[]>`
    select ${selectConfirmingContact(db, at)} as email from clubs where id = ${clubId}`;
  return club?.email ?? null;
}
