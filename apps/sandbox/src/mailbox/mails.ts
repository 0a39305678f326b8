import type { Db } from '#world/database.ts';

export interface Mail {
  id: number;
  to: string;
  from: string;
  subject: string;
  text: string;
  html: string;
  receivedAt: number;
}

const columns = 'id, recipient as "to", sender as "from", subject, text, html, received_at as receivedAt';

export function addMail(db: Db, { to, from, subject, text, html, receivedAt }: Omit<Mail, 'id'>): void {
  db.run(
    'insert into mails (recipient, sender, subject, text, html, received_at) values (?, ?, ?, ?, ?, ?)',
    to.toLowerCase(),
    from,
    subject,
    text,
    html,
    receivedAt,
  );
}

/** Newest first. */
export const listMails = (db: Db, to: string | undefined): Mail[] =>
  db.all<Mail>(
    `select ${columns} from mails where ?1 is null or recipient = ?1 order by id desc limit 500`,
    to?.toLowerCase() ?? null,
  );

export const findMail = (db: Db, id: number): Mail | undefined =>
  db.find<Mail>(`select ${columns} from mails where id = ?`, id);
