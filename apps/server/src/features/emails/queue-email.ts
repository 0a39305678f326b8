import type { Db } from '#db/connect.ts';
import { queueMail } from '#features/outbox/outbox-repository.ts';
import type { MailFacts } from './mail-facts.ts';

export interface QueuedEmail {
  supporterId: string;
  /** A supporter is mailed each key only once, for ever. */
  key: string;
  facts: MailFacts;
  at: Date;
}

/** Queues an email to a supporter in its subject's transaction; returns whether new. */
export const queueEmail = (tx: Db, email: QueuedEmail): Promise<boolean> =>
  queueMail(tx, { recipient: 'supporter', ...email });

/** The name of a club, for a mail about it. */
export async function clubNameOf(db: Db, clubId: string): Promise<string> {
  const [club] = await db<{ name: string }[]>`select name from clubs where id = ${clubId}`;
  return club?.name ?? 'your club';
}
