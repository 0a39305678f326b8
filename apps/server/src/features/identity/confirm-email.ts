import type { Db } from '#db/connect.ts';

/** Records that somebody who reads the mails of an address has shown it. Again, and of an unknown one, changes nothing. */
export async function confirmEmail(db: Db, email: string, at: Date): Promise<void> {
  await db`
    update supporters set email_proven_at = ${at}
    where email = ${email.trim().toLowerCase()} and email_proven_at is null`;
}
