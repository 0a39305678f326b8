import type { Db } from '#db/connect.ts';
import { queueMail } from '#features/outbox/outbox-repository.ts';

interface ContactChange {
  clubId: string;
  contactEmail: string | null;
  /** As the audit log names them. */
  by: string;
  at: Date;
}

/**
 * Records, before a club's contact is changed, who changes it, beside those who did within 30 days, and mails the one who was
 * the contact before them, if anybody was.
 */
export async function recordContactChange(tx: Db, { clubId, contactEmail, by, at }: ContactChange): Promise<void> {
  const [changed] = await tx<{ hadOne: boolean }[]>`
    update clubs set contact_changed_by = case when contact_changed_at > now() - interval '30 days'
      then array_append(contact_changed_by, ${by}) else array[${by}] end
    where id = ${clubId} and contact_email is distinct from ${contactEmail}
    returning coalesce(contact_email, former_contact_email) is not null as "hadOne"`;
  if (!changed?.hadOne) return;
  await queueMail(tx, {
    recipient: 'club',
    supporterId: null,
    key: `club contact ${clubId} ${at.toISOString()}`,
    facts: { kind: 'club_contact', clubId },
    at,
    isUrgent: true,
  });
}

/** Finds whom a club's contact of the last 30 days has replaced, and its name. */
export async function findFormerContact(db: Db, clubId: string) {
  const [former] = await db<{ club: string; email: string | null; until: Date }[]>`
    select name as club, former_contact_email as email, contact_changed_at + interval '30 days' as until from clubs
    where id = ${clubId} and former_contact_email is distinct from contact_email`;
  return former;
}
