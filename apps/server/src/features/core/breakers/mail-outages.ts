import type { Db } from '#db/connect.ts';

export interface MailOutage {
  since: Date;
  askAgainAt: Date;
  failure: string;
}

export async function findMailOutage(db: Db): Promise<MailOutage | undefined> {
  const [outage] = await db<MailOutage[]>`select since, ask_again_at as "askAgainAt", failure from mail_outages`;
  return outage;
}

/** Starts or extends the outage of the mail server. */
export async function recordMailOutage(db: Db, { since, askAgainAt, failure }: MailOutage): Promise<void> {
  await db`
    insert into mail_outages (since, ask_again_at, failure) values (${since}, ${askAgainAt}, ${failure})
    on conflict (singleton) do update set ask_again_at = excluded.ask_again_at, failure = excluded.failure`;
}

export async function endMailOutage(db: Db): Promise<void> {
  await db`delete from mail_outages`;
}
